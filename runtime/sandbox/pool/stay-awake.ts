import { availableParallelism } from "node:os";

/** Keeps this process awake between a reply and what the script does next. */
export interface Awake {
  /** To be called when a reply has gone out. */
  replied(): void;
  /** To be called when the script has sent something. */
  heard(): void;
}

/** With one processor the script needs the one that this process would keep. */
const HAS_OTHER = availableParallelism() > 1;
/** Longer than a script needs for its next call as a rule, in milliseconds. */
const AWAKE_MS = 0.1;
/** After so many moments in vain, 2 to the power of that many replies are left out, until the script is heard in time. */
const MOST_MISSES = 6;

/**
 * A script that makes calls in turn sends the next one some microseconds after a reply. To put a process to sleep and wake it takes the kernel
 * longer than that, so the event loop turns until then, but not for long, and seldom where the script takes longer.
 */
export function stayAwake(isUseful = HAS_OTHER): Awake {
  let until = 0;
  let isTurning = false;
  let isWaiting = false;
  let misses = 0;
  /** How many replies still go out without it: the first one too, after which a short script ends. */
  let leftOut = 1;
  const turn = (): void => {
    isTurning = isWaiting && performance.now() < until;
    if (isTurning) return void setImmediate(turn);
    if (!isWaiting) return;
    isWaiting = false;
    misses = Math.min(misses + 1, MOST_MISSES);
    leftOut = 2 ** misses;
  };
  return {
    replied() {
      if (!isUseful) return;
      if (leftOut > 0) {
        leftOut -= 1;
        return;
      }
      until = performance.now() + AWAKE_MS;
      isWaiting = true;
      if (!isTurning) setImmediate(turn);
      isTurning = true;
    },
    heard() {
      if (isWaiting) misses = 0;
      isWaiting = false;
    },
  };
}
