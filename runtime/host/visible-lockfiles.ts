import { type Access, visibleLockfile } from "../../schemas/access/access.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";

/** What an access shows of a lockfile: the same value for the same two, so that search indexes are made once. */
export type VisibleLockfiles = (lockfile: Lockfile, access: Access) => Lockfile;

export function makeVisibleLockfiles(): VisibleLockfiles {
  const known = new WeakMap<Lockfile, Map<string, Lockfile>>();
  return (lockfile, access) => {
    const ofLockfile = known.get(lockfile) ?? new Map<string, Lockfile>();
    known.set(lockfile, ofLockfile);
    // By all that the access says, not by the client's name alone: no mistake elsewhere can show one client what another sees.
    const key = JSON.stringify([access.client ?? null, access.servers, access.policies, access.hidden ?? []]);
    const visible = ofLockfile.get(key) ?? visibleLockfile(lockfile, access);
    ofLockfile.set(key, visible);
    return visible;
  };
}
