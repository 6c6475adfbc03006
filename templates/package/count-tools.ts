import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { countOf } from "../../schemas/text/count-of.ts";

/** `1 tool`, `2 tools`. */
export function countTools({ tools }: LockedServer): string {
  return countOf(tools.length, "tool");
}
