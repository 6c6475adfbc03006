import { readdirSync, readFileSync } from "node:fs";
import { toPromptOperation } from "@codemode/runtime/connections/operations/prompt-operations";
import { RESOURCE_OPERATIONS, toTemplateOperation } from "@codemode/runtime/connections/operations/resource-operations";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import { formatObserved } from "../../schemas/observed/observed-results.ts";
import { joinResultShapes, shapeOfResult } from "../../schemas/observed/result-shape.ts";

/** A tool as a server sends it; what is in the schemas is the server's affair. */
export interface RawTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
}

/** A lockfile of servers given by id and tools. */
export function lockfileOf(servers: Readonly<Record<string, readonly RawTool[]>>): Lockfile {
  return { servers: new Map(Object.entries(servers).map(([id, tools]) => [id, lockedServer(id, tools)])) };
}

/** One server, locked as a live one would be. */
export function lockedServer(
  id: string,
  tools: readonly RawTool[],
  serverInfo: JsonObject = { name: id, version: "1.0.0" },
  { resourceTemplates, prompts }: RawLists = {},
): LockedServer {
  const origin = { id, name: id, source: { transport: "stdio", command: "server", args: [], env: new Map() } as const };
  return lockServer(origin, {
    serverInfo,
    protocolVersion: "2025-11-25",
    era: "legacy",
    capabilities: {},
    clientCapabilities: {},
    tools: tools as unknown as readonly WireTool[],
    ...(resourceTemplates === undefined ? {} : { resources: toResources(resourceTemplates) }),
    ...(prompts === undefined
      ? {}
      : { prompts: prompts.flatMap((prompt) => toPromptOperation(prompt, nameOf(prompt)) ?? []) }),
  });
}

/** What a server lists beside its tools. */
export interface RawLists {
  resourceTemplates?: readonly JsonObject[];
  prompts?: readonly JsonObject[];
}

function toResources(templates: readonly JsonObject[]): WireTool[] {
  const found = templates.flatMap((entry) => toTemplateOperation(entry, String(entry["uriTemplate"])) ?? []);
  return [...RESOURCE_OPERATIONS, ...found];
}

function nameOf(prompt: JsonObject): string {
  return String(prompt["name"]);
}

/** The server, with the shapes of what its tools returned. */
export function observe(server: LockedServer, results: Readonly<Record<string, readonly JsonValue[]>>): LockedServer {
  const tools = server.tools.map((tool) => {
    const values = (Object.hasOwn(results, tool.name) ? results[tool.name] : undefined) ?? [];
    if (values.length === 0) return tool;
    const shape = values.map((value) => shapeOfResult(value) ?? {}).reduce(joinResultShapes);
    return { ...tool, observed: formatObserved({ sources: new Map([["0".repeat(16), values.length]]), shape }) };
  });
  return { ...server, tools };
}

/** A lockfile of a folder of recordings: one server per file, whose name is its id. */
export function lockRecordings(folder: URL): Lockfile {
  const ids = readdirSync(folder).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : []));
  return { servers: new Map(ids.map((id) => [id, lockRecording(readRecording(new URL(`${id}.json`, folder)), id)])) };
}

export function readRecording(file: URL): Recording {
  return JSON.parse(readFileSync(file, "utf8")) as Recording;
}

export function lockRecording({ tools, serverInfo, results = {}, ...lists }: Recording, id: string): LockedServer {
  const { capabilities = {}, protocolVersion = "2025-11-25" } = lists;
  const server = lockedServer(id, tools, serverInfo, lists);
  return observe({ ...server, capabilities, protocolVersion }, results);
}

/** What a server said of itself. */
export interface Recording extends RawLists {
  serverInfo: JsonObject;
  protocolVersion?: string;
  capabilities?: JsonObject;
  tools: RawTool[];
  /** What tools returned, by name. */
  results?: Record<string, JsonValue[]>;
}
