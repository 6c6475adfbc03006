import type { ServerSource } from "./config.ts";
import { type Integrity, integrityOf } from "./integrity.ts";
import { type JsonObject, type JsonValue, toJsonObject } from "./json.ts";
import type { LockedServer, LockedSource, LockedTool, ServerSnapshot, LockedPackage } from "./lockfile.ts";
import { byCodeUnits, sortKeys } from "./canonical-json.ts";
import { assignExportNames } from "./names.ts";

/** Where a snapshot was taken. */
export interface SnapshotOrigin {
  id: string;
  name: string;
  source: ServerSource;
  package?: LockedPackage | undefined;
  /** Output schemas that replace the server's own, by `serverId/toolName`. */
  outputs?: ReadonlyMap<string, JsonValue>;
}

/** Accepts a snapshot: assigns export names and computes the integrities. */
export function lockServer(origin: SnapshotOrigin, snapshot: ServerSnapshot): LockedServer {
  const byName = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
  const exportNames = assignExportNames([...byName.keys()]);
  const tools = [...byName.entries()]
    .toSorted(([left], [right]) => byCodeUnits(left, right))
    .map(([name, tool]) =>
      lockTool(name, exportNames.get(name) as string, tool, origin.outputs?.get(`${origin.id}/${name}`)),
    );
  const { instructions } = snapshot;
  const server = {
    id: origin.id,
    name: origin.name,
    source: toLockedSource(origin),
    serverInfo: sortKeys(snapshot.serverInfo),
    protocolVersion: snapshot.protocolVersion,
    era: snapshot.era,
    capabilities: sortKeys(snapshot.capabilities),
    clientCapabilities: sortKeys(snapshot.clientCapabilities),
    ...(instructions === undefined ? {} : { instructions }),
    tools,
  };
  return { ...server, integrity: serverIntegrity(server) };
}

function lockTool(name: string, exportName: string, wire: JsonObject, outputSchema: JsonValue | undefined): LockedTool {
  const tool: Omit<LockedTool, "integrity"> = { name, exportName };
  if (typeof wire["title"] === "string") tool.title = wire["title"];
  if (typeof wire["description"] === "string") tool.description = wire["description"];
  for (const key of ["inputSchema", "outputSchema", "annotations"] as const) {
    if (wire[key] !== undefined) tool[key] = sortKeys(wire[key]);
  }
  if (outputSchema !== undefined) {
    tool.outputSchema = sortKeys(outputSchema);
    tool.outputSchemaFrom = "configuration";
  }
  return { ...tool, integrity: toolIntegrity(tool) };
}

/** Names only: a value of `env` or `headers` may be a secret. */
function toLockedSource({ source, package: started }: SnapshotOrigin): LockedSource {
  if (source.transport === "stdio") {
    const { transport, command, args, env, cwd } = source;
    return {
      transport,
      command,
      args,
      env: sortedNames(env),
      ...(cwd === undefined ? {} : { cwd }),
      ...(started === undefined ? {} : { package: started }),
    };
  }
  return { transport: source.transport, url: source.url, headers: sortedNames(source.headers) };
}

function sortedNames(values: ReadonlyMap<string, string>): string[] {
  return [...values.keys()].toSorted(byCodeUnits);
}

/** Over everything of a tool that an agent reads or a call depends on: a changed description is drift. */
export function toolIntegrity(tool: Omit<LockedTool, "integrity" | "exportName">): Integrity {
  const { name, title, description, inputSchema, outputSchema, outputSchemaFrom, annotations } = tool;
  // In canonical order already: a lockfile may hold thousands, and sorting takes time.
  return integrityOf(present({ annotations, description, inputSchema, name, outputSchema, outputSchemaFrom, title }));
}

/** Over what a server says of itself and the integrities of its tools. */
export function serverIntegrity(server: Pick<LockedServer, "serverInfo" | "instructions" | "tools">): Integrity {
  const { serverInfo, instructions, tools } = server;
  return integrityOf(present({ serverInfo, instructions, tools: tools.map((tool) => tool.integrity) }));
}

function present(members: { [key: string]: JsonObject[string] | undefined }): JsonObject {
  return toJsonObject(
    Object.entries(members).filter((entry): entry is [string, JsonObject[string]] => entry[1] !== undefined),
  );
}
