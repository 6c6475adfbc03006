import { countOf } from "../text/count-of.ts";
import type { LockedServer } from "./lockfile.ts";

/** What a server has in all: `12 tools, 4 prompts`. Resources are counted as the functions that read them. */
export function countOperations({ tools, resources, prompts }: LockedServer): string {
  const others = [
    [resources, "resource function"],
    [prompts, "prompt"],
  ] as const;
  return [
    countOf(tools.length, "tool"),
    ...others.flatMap(([list = [], what]) => (list.length === 0 ? [] : [countOf(list.length, what)])),
  ].join(", ");
}
