/**
 * To make so many realms takes some 14 MB, which the young space holds (`RENEWAL_FLAGS`). They are collected when they have ended and before
 * it is full, so nothing of them is copied.
 */
const REALMS_PER_COLLECTION = 4;

/**
 * Takes V8's garbage collector from the globals, where the flags of this process have put it. Each call counts a realm that has come to its
 * end; V8 would collect them late, when a run with its memory limit feels it.
 */
export function takeCollector(): () => void {
  const { gc } = globalThis;
  let count = 0;
  return () => {
    count += 1;
    if (count % REALMS_PER_COLLECTION === 0) gc?.();
  };
}
