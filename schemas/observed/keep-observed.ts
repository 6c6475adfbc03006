import type { LockedServer } from "../lock/lockfile.ts";

/** A new entry of a server with what was observed of its tools before: tools that are gone lose it. */
export function keepObserved(before: LockedServer | undefined, after: LockedServer): LockedServer {
  const observed = new Map(before?.tools.map((tool) => [tool.name, tool.observed]));
  return {
    ...after,
    tools: after.tools.map((tool) => {
      const known = observed.get(tool.name) ?? tool.observed;
      return known === undefined ? tool : { ...tool, observed: known };
    }),
  };
}
