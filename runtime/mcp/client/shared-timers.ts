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
  const lane: Lane = { limits: new Set(), timer: setTimeout(() => check(length, lane), length) };
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
