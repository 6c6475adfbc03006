/** A time limit that stands still as long as something holds it. */
export interface PausableTimer {
  /** Gives the whole time again. */
  restart(): void;
  /** Stops the time until the returned function is called. Several holds may overlap. */
  hold(): () => void;
  stop(): void;
}

/** Node's timers fire at once above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Starts a limit. @param onEnd called once, when the time is over */
export function startPausableTimer(milliseconds: number, onEnd: () => void): PausableTimer {
  let leftMs = milliseconds;
  let startedAt = 0;
  let holds = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    startedAt = performance.now();
    const end = (): void => {
      isOver = true;
      onEnd();
    };
    timer = setTimeout(end, Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS));
  };
  run();
  return {
    restart() {
      if (isOver) return;
      leftMs = milliseconds;
      clearTimeout(timer);
      if (holds === 0) run();
    },
    hold() {
      if (holds === 0 && !isOver) {
        clearTimeout(timer);
        leftMs -= performance.now() - startedAt;
      }
      holds += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        if (holds === 0 && !isOver) run();
      };
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
