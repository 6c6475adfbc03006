import type { LockedServer, LockedTool, Lockfile } from "../lock/lockfile.ts";
import { formatObserved, joinObserved, observedOf, type ObservedResults } from "./observed-results.ts";

/** What was observed, by `serverId` and the name of the tool. */
export type Observations = ReadonlyMap<string, ReadonlyMap<string, ObservedResults>>;

/** Names tools of a project. */
export type IsChosen = (serverId: string, toolName: string) => boolean;

/** What was observed of the chosen tools; servers without any are left out. */
export function onlyChosen(observations: Observations, isChosen: IsChosen): Observations {
  const chosen = [...observations].map(
    ([id, tools]) => [id, new Map([...tools].filter(([name]) => isChosen(id, name)))] as const,
  );
  return new Map(chosen.filter(([, tools]) => tools.size > 0));
}

/** Adds observations to a set of them. */
export function joinObservations(left: Observations, right: Observations): Observations {
  const joined = new Map([...left].map(([serverId, tools]) => [serverId, new Map(tools)]));
  for (const [serverId, tools] of right) {
    const known = joined.get(serverId) ?? new Map<string, ObservedResults>();
    for (const [name, observed] of tools) {
      const before = known.get(name);
      known.set(name, before === undefined ? observed : joinObserved(before, observed));
    }
    joined.set(serverId, known);
  }
  return joined;
}

/** The lockfile with what was observed of its tools. A tool whose server declares an output schema needs none. */
export function learnInto(lockfile: Lockfile, observations: Observations): Lockfile {
  return mapTools(lockfile, (tool, { id }) => {
    const seen = observations.get(id)?.get(tool.name);
    if (seen === undefined || tool.outputSchema !== undefined) return tool;
    const known = observedOf(tool);
    return { ...tool, observed: formatObserved(known === undefined ? seen : joinObserved(known, seen)) };
  });
}

/** The lockfile without what was observed of the tools that `isForgotten` names. */
export function forgetInto(lockfile: Lockfile, isForgotten: IsChosen): Lockfile {
  return mapTools(lockfile, (tool, { id }) => {
    if (!isForgotten(id, tool.name)) return tool;
    const { observed: _, ...rest } = tool;
    return rest;
  });
}

function mapTools(lockfile: Lockfile, change: (tool: LockedTool, server: LockedServer) => LockedTool): Lockfile {
  return {
    servers: new Map(
      [...lockfile.servers].map(([id, server]) => [
        id,
        { ...server, tools: server.tools.map((tool) => change(tool, server)) },
      ]),
    ),
  };
}
