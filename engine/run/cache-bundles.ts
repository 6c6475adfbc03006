import { LRUCache } from "lru-cache";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { BundledScript, ScriptSource } from "../bundle/bundle-script.ts";
import type { Bundler } from "../bundle/process/start-bundler.ts";

/** Some three hundred scripts: what agents send again is among the last of them, and the rest would only fill the heap. */
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;

/**
 * A bundler for one project that keeps what it has bundled, and forgets first what was not used for longest. A script gets a kept
 * bundle only where its text and name are the same, and the lockfile is the same value: one that has changed, and what another
 * client sees of it, is another value. Scripts that read files beside them are bundled each time, and failures are tried again.
 *
 * @param maxBytes of all scripts and bundles together, about
 */
export function cacheBundles(
  bundler: Pick<Bundler, "bundle">,
  { maxBytes = DEFAULT_MAX_BYTES } = {},
): Pick<Bundler, "bundle"> {
  const cached = new LRUCache<string, BundledScript>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const numberOf = makeNumbering();

  return {
    async bundle(script, options, clientId) {
      const key = toKey(script, numberOf(options.lockfile));
      const known = cached.get(key);
      if (known !== undefined) return known;
      const outcome = await bundler.bundle(script, options, clientId);
      if (outcome.ok && outcome.madeFrom !== undefined) cached.set(key, outcome);
      return outcome;
    },
  };
}

/** Numbers are never given twice, so what was bundled under a lockfile that is gone is never found again. */
function makeNumbering(): (lockfile: Lockfile) => number {
  const numbers = new WeakMap<Lockfile, number>();
  let last = 0;
  return (lockfile) => {
    const known = numbers.get(lockfile);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(lockfile, last);
    return last;
  };
}

/** The folder of a script is no part of it: a bundle is kept only where nothing was read there. */
function toKey({ name, code }: ScriptSource, lockfileNumber: number): string {
  return JSON.stringify([lockfileNumber, name]) + code;
}

/** A character takes two bytes at most. */
function sizeOf({ bundle: { code, map } }: BundledScript, key: string): number {
  const sources = map.sourcesContent?.reduce((length, text) => length + (text?.length ?? 0), 0) ?? 0;
  return 2 * (key.length + code.length + map.mappings.length + sources);
}
