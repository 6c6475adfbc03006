import type { Lockfile } from "./lockfile.ts";

/** Computes something once per lockfile. A lockfile is an immutable value: every change makes a new one. */
export function memoizeByLockfile<Made>(make: (lockfile: Lockfile) => Made): (lockfile: Lockfile) => Made {
  const known = new WeakMap<Lockfile, { made: Made }>();
  return (lockfile) => {
    const entry = known.get(lockfile) ?? { made: make(lockfile) };
    known.set(lockfile, entry);
    return entry.made;
  };
}
