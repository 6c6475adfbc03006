import type { LockedServer } from "../../schemas/lockfile.ts";

/** `1 tool`, `2 tools`. */
export function countTools({ tools }: LockedServer): string {
  return `${tools.length} tool${tools.length === 1 ? "" : "s"}`;
}
