import { isHostSubject } from "../../runtime/sandbox/pool/host-subjects.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { observedOf } from "../../schemas/observed/observed-results.ts";
import type { Recording } from "../../schemas/run/recording.ts";

/** What the results of a tool have a type from: its schema, or what was observed. */
export type TypeSource = "declared" | "text" | "json" | "structured" | "blocks";

/** The types of the tools of one server that the scripts called. */
export interface ServerTypes {
  called: number;
  before: number;
  after: number;
  /** How many tools have a type from each source; a tool whose results had several forms counts for each. */
  sources: ReadonlyMap<TypeSource, number>;
}

/** How many of the called tools of a server return something that has a type, before and after learning. */
export function countTypes(server: LockedServer, recordings: readonly Recording[]): ServerTypes {
  const called = server.tools.filter((tool) => isCalled(server.id, tool, recordings));
  const sources = new Map<TypeSource, number>();
  for (const source of called.flatMap(typeSources)) sources.set(source, (sources.get(source) ?? 0) + 1);
  return {
    called: called.length,
    before: called.filter(({ outputSchema }) => outputSchema !== undefined).length,
    after: called.filter((tool) => typeSources(tool).length > 0).length,
    sources,
  };
}

function isCalled(id: string, { name }: LockedTool, recordings: readonly Recording[]): boolean {
  return recordings.some(({ calls }) =>
    calls.some(({ serverId, toolName }) => !isHostSubject(serverId) && serverId === id && toolName === name),
  );
}

function typeSources(tool: LockedTool): TypeSource[] {
  if (tool.outputSchema !== undefined) return ["declared"];
  const shape = observedOf(tool)?.shape ?? {};
  // What may be anything has no type.
  if (shape.structured?.any === true || shape.json?.any === true) return [];
  return Object.keys(shape) as TypeSource[];
}
