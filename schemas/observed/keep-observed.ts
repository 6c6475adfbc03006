import type { LockedServer, Lockfile } from "../lock/lockfile.ts";

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

/** The lockfile with what `learned` has observed of the same tools; the same value where that is nothing else. */
export function takeObserved(lockfile: Lockfile, learned: Lockfile): Lockfile {
  const servers = [...lockfile.servers].map(([id, server]) => [id, takeFrom(learned.servers.get(id), server)] as const);
  return servers.every(([id, server]) => server === lockfile.servers.get(id))
    ? lockfile
    : { servers: new Map(servers) };
}

/** Tools that did not change stay the same values: what was made of them is not made again. */
function takeFrom(learned: LockedServer | undefined, server: LockedServer): LockedServer {
  const others = new Map(learned?.tools.map((tool) => [tool.name, tool]));
  const tools = server.tools.map((tool) => {
    const other = others.get(tool.name);
    const isSame = JSON.stringify(other?.observed) === JSON.stringify(tool.observed);
    if (other?.integrity !== tool.integrity || isSame) return tool;
    const { observed: _, ...rest } = tool;
    return other.observed === undefined ? rest : { ...rest, observed: other.observed };
  });
  return tools.every((tool, index) => tool === server.tools[index]) ? server : { ...server, tools };
}
