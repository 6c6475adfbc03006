import type { OpenObjects, ServerSource } from "../config/config.ts";
import { type Integrity, integrityOf, type TextDigest } from "./integrity.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import type { LockedServer, LockedSource, LockedTool, ServerSnapshot, LockedPackage } from "./lockfile.ts";
import { byCodeUnits, sortKeys } from "../json/canonical-json.ts";
import { assignExportNames } from "./names.ts";
import { hideSecretsInArgs, hideSecretsInUrl } from "../secrets/literal-secrets.ts";

/** Where a snapshot was taken. */
export interface SnapshotOrigin {
  id: string;
  name: string;
  source: ServerSource;
  package?: LockedPackage | undefined;
  /** Places of the entry that hold no secret, as the configuration says. */
  notSecret?: readonly string[];
  openObjects?: OpenObjects;
  /** Output schemas that replace the server's own, by `serverId/toolName`. */
  outputs?: ReadonlyMap<string, JsonValue>;
}

/** Accepts a snapshot: assigns export names and computes the integrities. */
export function lockServer(origin: SnapshotOrigin, snapshot: ServerSnapshot, digest?: TextDigest): LockedServer {
  const byName = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
  const exportNames = assignExportNames([...byName.keys()]);
  const tools = [...byName.entries()]
    .toSorted(([left], [right]) => byCodeUnits(left, right))
    .map(([name, wire]) => {
      const tool = lockTool(name, exportNames.get(name) as string, wire, origin.outputs?.get(`${origin.id}/${name}`));
      return { ...tool, integrity: toolIntegrity(tool, digest) };
    });
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
    ...(origin.openObjects === "index" ? { openObjects: "index" as const } : {}),
    tools,
  };
  return { ...server, integrity: serverIntegrity(server, digest) };
}

function lockTool(
  name: string,
  exportName: string,
  wire: JsonObject,
  outputSchema: JsonValue | undefined,
): Omit<LockedTool, "integrity"> {
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
  return tool;
}

/**
 * How a server is reached, without values that may be secrets: of variables, headers and the query of an address the names are kept;
 * in arguments and the rest of the address, what looks like a secret becomes the placeholder that belongs there.
 */
export function toLockedSource({
  name,
  source,
  notSecret = [],
  package: started,
}: Omit<SnapshotOrigin, "id">): LockedSource {
  if (source.transport === "stdio") {
    const { transport, command, env, inheritEnv = [], cwd } = source;
    const args = hideSecretsInArgs({ name, source, notSecret });
    return {
      transport,
      command,
      args,
      env: sortedNames(env),
      ...(inheritEnv.length === 0 ? {} : { inheritEnv }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(started === undefined ? {} : { package: started }),
    };
  }
  return {
    transport: source.transport,
    url: hideSecretsInUrl({ name, source, notSecret }),
    headers: sortedNames(source.headers),
  };
}

function sortedNames(values: ReadonlyMap<string, string>): string[] {
  return [...values.keys()].toSorted(byCodeUnits);
}

/** Over everything of a tool that an agent reads or a call depends on: a changed description is drift. */
export function toolIntegrity(tool: Omit<LockedTool, "integrity" | "exportName">, digest?: TextDigest): Integrity {
  const { name, title, description, inputSchema, outputSchema, outputSchemaFrom, annotations } = tool;
  // In canonical order already: a lockfile may hold thousands, and sorting takes time.
  return integrityOf(
    present({ annotations, description, inputSchema, name, outputSchema, outputSchemaFrom, title }),
    digest,
  );
}

/** Over what a server says of itself and the integrities of its tools. */
export function serverIntegrity(
  server: Pick<LockedServer, "serverInfo" | "instructions" | "tools">,
  digest?: TextDigest,
): Integrity {
  const { serverInfo, instructions, tools } = server;
  return integrityOf(present({ instructions, serverInfo, tools: tools.map((tool) => tool.integrity) }), digest);
}

/** The keys are ours, so that plain assignment is safe. */
function present(members: { [key: string]: JsonValue | undefined }): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(members)) {
    if (value !== undefined) object[key] = value;
  }
  return object;
}
