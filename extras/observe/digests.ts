import { digestText } from "../../runtime/host/digest-text.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { formatLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { Integrity } from "../../schemas/lock/integrity.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";

const ofBundles = new WeakMap<Bundle, Integrity>();

/** SHA-256 of the code that runs; made once for each bundle, which may run many times. */
export function bundleDigest(bundle: Bundle): Integrity {
  const digest = ofBundles.get(bundle) ?? digestText(bundle.code);
  ofBundles.set(bundle, digest);
  return digest;
}

/** SHA-256 of the bytes of `codemode.lock.json`, made once for each lockfile. */
export const lockfileDigest = memoizeByLockfile((lockfile) => digestText(formatLockfile(lockfile)));
