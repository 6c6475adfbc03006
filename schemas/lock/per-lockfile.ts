import type { Lockfile } from "./lockfile.ts";

/** Makes something once for each lockfile. A lockfile is a value: whatever changes in it, it is another one. */
export function perLockfile<Made>(make: (lockfile: Lockfile) => Made): (lockfile: Lockfile) => Made {
  const known = new WeakMap<Lockfile, { made: Made }>();
  return (lockfile) => {
    const entry = known.get(lockfile) ?? { made: make(lockfile) };
    known.set(lockfile, entry);
    return entry.made;
  };
}
