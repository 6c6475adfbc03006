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
  return new Limit(milliseconds, onEnd);
}

/** A class, because every call starts two: functions of their own for each would be most of what a call leaves to the garbage collector. */
class Limit implements PausableTimer {
  readonly #milliseconds: number;
  readonly #onEnd: () => void;
  #leftMs: number;
  #startedAt = 0;
  #holds = 0;
  #isOver = false;
  #stopTimer: (() => void) | undefined;

  constructor(milliseconds: number, onEnd: () => void) {
    this.#milliseconds = milliseconds;
    this.#onEnd = onEnd;
    this.#leftMs = milliseconds;
    this.#run();
  }

  restart(): void {
    if (this.#isOver) return;
    this.#leftMs = this.#milliseconds;
    this.#stopTimer?.();
    if (this.#holds === 0) this.#run();
  }

  hold(): () => void {
    if (this.#holds === 0 && !this.#isOver) {
      this.#stopTimer?.();
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
    this.#stopTimer?.();
  }

  #run(): void {
    this.#startedAt = performance.now();
    this.#stopTimer = startSharedTimer(this.#leftMs, () => {
      this.#isOver = true;
      this.#onEnd();
    });
  }
}
