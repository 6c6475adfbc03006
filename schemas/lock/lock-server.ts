import { withoutUndefined } from "../json/without-undefined.ts";
import type { OwnServerConfig, ServerSource } from "../config/config.ts";
import type { OpenObjects } from "../config/config-file.ts";
import { type Integrity, integrityOf, type TextDigest } from "./integrity.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import type { LockedPackage, LockedServer, LockedSource, LockedTool, Lockfile } from "./lockfile.ts";
import type { ServerSnapshot, WireTool } from "./server-snapshot.ts";
import { byCodeUnits, sortKeys } from "../json/canonical-json.ts";
import { assignOperationNames, listOfName, type OperationList } from "./operations.ts";
import { hideSecretsInArgs, hideSecretsInUrl } from "../secrets/literal-secrets.ts";

/** Where a snapshot was taken. */
export interface SnapshotOrigin {
  id: string;
  name: string;
  source: ServerSource | OwnServerConfig["source"];
  package?: LockedPackage | undefined;
  /** Places of the entry that hold no secret, as the configuration says. */
  notSecret?: readonly string[];
  openObjects?: OpenObjects;
  /** Output schemas that replace the server's own, by `serverId/toolName`. */
  outputs?: ReadonlyMap<string, JsonValue>;
  /** What was accepted of the server before: its tools keep their export names. */
  former?: LockedServer | undefined;
}

/** Accepts a snapshot: assigns export names and computes the integrities. */
export function lockServer(origin: SnapshotOrigin, snapshot: ServerSnapshot, digest?: TextDigest): LockedServer {
  const lockAll = (definitions: readonly WireTool[], former: readonly LockedTool[] = []): LockedTool[] => {
    const byName = new Map(definitions.map((definition) => [definition.name, definition]));
    const locked = [...byName.entries()]
      .toSorted(([left], [right]) => byCodeUnits(left, right))
      .map(([name, wire]) => lockTool(name, wire, origin.outputs?.get(`${origin.id}/${name}`)));
    const formerNames = new Map(former.map(({ name, exportName }) => [name, exportName]));
    const exportNames = assignOperationNames(
      locked.map((tool) => ({ ...tool, exportName: formerNames.get(tool.name) })),
    );
    return locked.map((tool) => ({
      ...tool,
      exportName: exportNames.get(tool.name) as string,
      integrity: lockedIntegrity(tool, digest),
    }));
  };
  const { instructions, resources, prompts } = snapshot;
  const server = {
    id: origin.id,
    name: origin.name,
    source: toLockedSource(origin),
    serverInfo: sortKeys(snapshot.serverInfo),
    protocolVersion: snapshot.protocolVersion,
    era: snapshot.era,
    capabilities: sortKeys(snapshot.capabilities),
    clientCapabilities: sortKeys(snapshot.clientCapabilities),
    ...withoutUndefined({ instructions, openObjects: origin.openObjects === "index" ? ("index" as const) : undefined }),
    tools: lockAll(snapshot.tools, origin.former?.tools),
    ...withoutUndefined({
      resources: resources === undefined ? undefined : lockAll(resources, origin.former?.resources),
      prompts: prompts === undefined ? undefined : lockAll(prompts, origin.former?.prompts),
    }),
  };
  return { ...server, integrity: serverIntegrity(server, digest) };
}

/** The entry with these definitions in it, in the place of those of the same names. All else stays. */
export function withDefinitions(
  server: LockedServer,
  definitions: readonly LockedTool[],
  digest?: TextDigest,
): LockedServer {
  const put = (list: OperationList | undefined, before: readonly LockedTool[] = []): LockedTool[] => {
    const taken = definitions.filter(({ name }) => listOfName(name) === list);
    const byName = new Map([...before, ...taken].map((tool) => [tool.name, tool]));
    const tools = [...byName.values()].toSorted((left, right) => byCodeUnits(left.name, right.name));
    const exportNames = assignOperationNames(tools);
    return tools.map((tool) => ({ ...tool, exportName: exportNames.get(tool.name) as string }));
  };
  const [resources, prompts] = [put("resources", server.resources), put("prompts", server.prompts)];
  const entry = {
    ...server,
    tools: put(undefined, server.tools),
    ...withoutUndefined({
      resources: resources.length === 0 ? undefined : resources,
      prompts: prompts.length === 0 ? undefined : prompts,
    }),
  };
  return { ...entry, integrity: serverIntegrity(entry, digest) };
}

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

type Definition = Omit<LockedTool, "integrity" | "exportName">;

function lockTool(name: string, wire: JsonObject, outputSchema: JsonValue | undefined): Definition {
  const tool: Definition = { name };
  if (typeof wire["templateName"] === "string" && listOfName(name) !== undefined)
    tool.templateName = wire["templateName"];
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
  if (source.transport === "program") return { transport: source.transport };
  if (source.transport === "stdio") {
    const { transport, command, env, inheritEnv = [], cwd } = source;
    const args = hideSecretsInArgs({ name, source, notSecret });
    return {
      transport,
      command,
      args,
      env: sortedNames(env),
      ...withoutUndefined({ inheritEnv: inheritEnv.length === 0 ? undefined : inheritEnv, cwd, package: started }),
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
export function lockedIntegrity(tool: Definition, digest?: TextDigest): Integrity {
  const { name, templateName, title, description, inputSchema, outputSchema, outputSchemaFrom, annotations } = tool;
  // In canonical order already: a lockfile may hold thousands, and sorting takes time.
  return integrityOf(
    present({ annotations, description, inputSchema, name, outputSchema, outputSchemaFrom, templateName, title }),
    digest,
  );
}

/** Over what a server says of itself and the integrities of its tools, resources and prompts. */
export function serverIntegrity(
  server: Pick<LockedServer, "serverInfo" | "instructions" | "tools" | "resources" | "prompts">,
  digest?: TextDigest,
): Integrity {
  const { serverInfo, instructions } = server;
  const listed = (tools: readonly LockedTool[] | undefined) => tools?.map(({ integrity }): JsonValue => integrity);
  const [tools, resources, prompts] = [listed(server.tools), listed(server.resources), listed(server.prompts)];
  return integrityOf(present({ instructions, prompts, resources, serverInfo, tools }), digest);
}

/** The keys are ours, so that plain assignment is safe. */
function present(members: { [key: string]: JsonValue | undefined }): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(members)) {
    if (value !== undefined) object[key] = value;
  }
  return object;
}
