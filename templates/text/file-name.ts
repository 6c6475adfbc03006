import { DEVICE_NAMES } from "../../schemas/lock/server-ids.ts";

/** Leaves room for a suffix and an extension within the 255 bytes of most file systems. */
const MAX_LENGTH = 120;

/**
 * A file name without extension for each export name: ASCII letters, digits, `_`, `$` and `-` only, and no two alike
 * where case does not count. The first in the order given keeps the clean name.
 */
export function assignFileNames(exportNames: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    exportNames.map((exportName) => {
      const safe = exportName.replace(/[^A-Za-z0-9_$]/g, "-").slice(0, MAX_LENGTH);
      const base = DEVICE_NAMES.has(safe.toLowerCase()) ? `${safe}-` : safe;
      let name = base;
      for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${base}-${count}`;
      taken.add(name.toLowerCase());
      return [exportName, name];
    }),
  );
}
