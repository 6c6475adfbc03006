/** So many realms of scripts that have ended take some 15 MB. */
const REALMS_PER_COLLECTION = 16;

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
