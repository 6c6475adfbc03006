/** Node's timers fire at once above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit that stands still as long as something holds it. */
export interface PausableTimer {
  /** Gives so much time from now on. */
  restart(milliseconds: number): void;
  /** The time since the start, without the holds. */
  spentMs(): number;
  /** Stops the time until the returned function is called. Several holds may overlap. */
  hold(): () => void;
  stop(): void;
}

/** Starts a limit. @param onEnd called once, when the time is over */
export function startPausableTimer(milliseconds: number, onEnd: () => void): PausableTimer {
  return new Limit(milliseconds, onEnd);
}

/** A class, because every call starts one: functions of its own would be most of what a call leaves to the garbage collector. */
class Limit implements PausableTimer {
  #milliseconds: number;
  readonly #onEnd: () => void;
  #leftMs: number;
  #startedAt = 0;
  #holds = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, onEnd: () => void) {
    this.#milliseconds = milliseconds;
    this.#onEnd = onEnd;
    this.#leftMs = milliseconds;
    this.#run();
  }

  restart(milliseconds: number): void {
    if (this.#isOver) return;
    this.#milliseconds = milliseconds;
    this.#leftMs = milliseconds;
    clearTimeout(this.#timer);
    if (this.#holds === 0) this.#run();
  }

  spentMs(): number {
    const runningMs = this.#holds === 0 ? performance.now() - this.#startedAt : 0;
    return this.#milliseconds - this.#leftMs + runningMs;
  }

  hold(): () => void {
    if (this.#holds === 0 && !this.#isOver) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#startedAt;
    }
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds === 0 && !this.#isOver) this.#run();
    };
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#startedAt = performance.now();
    const onEnd = (): void => {
      this.#isOver = true;
      this.#onEnd();
    };
    this.#timer = setTimeout(onEnd, Math.min(Math.ceil(this.#leftMs), LONGEST_TIMER_MS));
  }
}
