import { matchesAny } from "../../../schemas/access/glob.ts";
import { ownValue, type JsonObject } from "../../../schemas/json/json.ts";

/** More stars than any real pattern has; matching takes time that grows with their number. */
const MAX_STARS = 4;

/**
 * True unless `sideEffects` of a `package.json` says that a module which nothing is used of may be left out. `path` is below the
 * package's folder. Patterns match a little more than other bundlers': a module too many is kept, never one too few.
 */
export function hasSideEffects(manifest: JsonObject, path: string): boolean {
  const declared = ownValue(manifest, "sideEffects");
  if (declared === false) return false;
  if (!Array.isArray(declared)) return true;
  return declared.some((pattern) => {
    if (typeof pattern !== "string" || pattern.split("*").length > MAX_STARS + 1) return true;
    const bare = pattern.replace(/^\.?\//, "");
    return matchesAny(path, [bare, `*/${bare}`, bare.replace(/^\*\*\//, "")]);
  });
}
