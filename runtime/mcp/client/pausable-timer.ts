import { outsideOfRequests } from "./outside-of-requests.ts";

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
  #stopTimer: (() => void) | undefined;

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
    this.#stopTimer?.();
    if (this.#holds === 0) this.#run();
  }

  spentMs(): number {
    const runningMs = this.#holds === 0 ? performance.now() - this.#startedAt : 0;
    return this.#milliseconds - this.#leftMs + runningMs;
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

interface SharedLimit {
  onEnd: () => void;
  endsAt: number;
}

/** One timer for all limits of the same length. */
interface Lane {
  /** The next one to end first: all are equally long. */
  limits: Set<SharedLimit>;
  timer: NodeJS.Timeout;
}

/** Node's timers fire at once above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Beyond so many lanes, which callers choose the lengths of, one that nothing is in is closed at once. */
const MOST_LANES = 32;

/** In a Worker of Cloudflare a timer belongs to one request, and no other one may touch it. */
const isWorker = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent === "Cloudflare-Workers";

const lanes = new Map<number, Lane>();

/**
 * Calls a function after so many milliseconds, as `setTimeout` does. To start and stop it costs no timer where others of the same length are
 * under way, or have been of late: most limits are the same few, and almost none is ever reached.
 * @returns stops it
 */
export function startSharedTimer(milliseconds: number, onEnd: () => void): () => void {
  const length = Math.min(Math.max(Math.ceil(milliseconds), 1), LONGEST_TIMER_MS);
  if (isWorker) {
    const timer = setTimeout(onEnd, length);
    return () => clearTimeout(timer);
  }
  const lane = lanes.get(length) ?? openLane(length);
  const limit = { onEnd, endsAt: performance.now() + length };
  if (lane.limits.size === 0) lane.timer.ref();
  lane.limits.add(limit);
  return () => {
    if (lane.limits.delete(limit) && lane.limits.size === 0) rest(length, lane);
  };
}

/** Nothing waits for it: it keeps no process alive. */
function rest(length: number, lane: Lane): void {
  lane.timer.unref();
  if (lanes.size <= MOST_LANES) return;
  clearTimeout(lane.timer);
  lanes.delete(length);
}

function openLane(length: number): Lane {
  const lane: Lane = {
    limits: new Set(),
    timer: outsideOfRequests(() => setTimeout(() => check(length, lane), length)),
  };
  lanes.set(length, lane);
  return lane;
}

/** Ends what is over, and looks again when the next one will be. A lane that nothing is in is closed. */
function check(length: number, lane: Lane): void {
  for (const limit of lane.limits) {
    const leftMs = limit.endsAt - performance.now();
    if (leftMs > 0) {
      lane.timer = setTimeout(() => check(length, lane), Math.ceil(leftMs));
      return;
    }
    lane.limits.delete(limit);
    limit.onEnd();
  }
  lanes.delete(length);
}
