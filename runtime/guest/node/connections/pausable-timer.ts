import { startSharedTimer } from "./shared-timers.ts";

/** A time limit that stands still as long as something holds it. */
export interface PausableTimer {
  /** Gives the whole time again. */
  restart(): void;
  /** Stops the time until the returned function is called. Several holds may overlap. */
  hold(): () => void;
  stop(): void;
}

/** Starts a limit. @param onEnd called once, when the time is over */
export function startPausableTimer(milliseconds: number, onEnd: () => void): PausableTimer {
  let leftMs = milliseconds;
  let startedAt = 0;
  let holds = 0;
  let isOver = false;
  let stopTimer: () => void;
  const end = (): void => {
    isOver = true;
    onEnd();
  };
  const run = (): void => {
    startedAt = performance.now();
    stopTimer = startSharedTimer(leftMs, end);
  };
  run();
  return {
    restart() {
      if (isOver) return;
      leftMs = milliseconds;
      stopTimer();
      if (holds === 0) run();
    },
    hold() {
      if (holds === 0 && !isOver) {
        stopTimer();
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
      stopTimer();
    },
  };
}
