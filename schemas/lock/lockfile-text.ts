import { withoutMark } from "../text/without-mark.ts";
import { withoutUndefined } from "../json/without-undefined.ts";
import { lockfileInvalid } from "../errors.ts";
import type { TextDigest } from "./integrity.ts";
import { asJson, isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { sortedJson } from "../json/canonical-json.ts";
import { serverIntegrity, lockedIntegrity } from "./lock-server.ts";
import {
  LOCKFILE_VERSION,
  type LockedServer,
  type LockedPackage,
  type LockedSource,
  type LockedTool,
  type Lockfile,
} from "./lockfile.ts";
import { toServerId } from "./server-ids.ts";
import { assignOperationNames, listOfName, OPERATION_LISTS, type OperationList } from "./operations.ts";
import { formatObserved, parseObserved } from "../observed/observed-results.ts";
import type { CodemodeError } from "../codemode-error.ts";

const RESTORE = "Restore the file from version control, or repair it with `codemode lock --repair`.";

/**
 * Reads the text of a lockfile and checks its shape, its names and every integrity.
 * @param file for the error's line
 * @param digest what computes the integrities, where there is something faster than plain code
 * @throws CodemodeError where it is no lockfile, or an integrity is wrong (`LOCKFILE_INVALID`)
 * @example
 * import { readFile } from "node:fs/promises";
 * import { parseLockfile } from "codemode";
 *
 * const text = await readFile("codemode.lock.json", "utf8");
 * console.log([...parseLockfile(text, "codemode.lock.json").servers.keys()]);
 */
export function parseLockfile(text: string, file: string, digest?: TextDigest): Lockfile {
  const fail: FailHinting = (problem, hint = RESTORE) => lockfileInvalid(file, problem, hint);
  const root = parseObject(text, fail);
  const servers = ownValue(root, "servers");
  const version = ownValue(root, "lockfileVersion");
  assertReadableVersion(version, fail);
  if (version !== LOCKFILE_VERSION) throw fail('"lockfileVersion" is missing or unknown');
  if (!isJsonObject(servers)) throw fail('"servers" is not an object');
  return {
    servers: new Map(Object.entries(servers).map(([id, value]) => [id, parseLockedServer(id, value, file, digest)])),
  };
}

/** Refuses what only a newer codemode understands: to repair it would lose what that has written. */
export function assertReadableVersion(version: JsonValue | undefined, fail: FailHinting): void {
  if (typeof version !== "number" || version <= LOCKFILE_VERSION) return;
  throw fail(`version ${version} is newer than this codemode reads (${LOCKFILE_VERSION})`, "Update codemode.");
}

/** Checks one entry of "servers" as `parseLockfile` does. */
export function parseLockedServer(id: string, value: JsonValue, file: string, digest?: TextDigest): LockedServer {
  const fail = (problem: string): CodemodeError => lockfileInvalid(file, `server "${id}": ${problem}`, RESTORE);
  if (toServerId(id.replace(/--\d+$/, "")) !== id.replace(/--\d+$/, "")) throw fail("the id is not normalized");
  return parseServer(id, value, fail, digest);
}

type Fail = (problem: string) => CodemodeError;
type FailHinting = (problem: string, hint?: string) => CodemodeError;

function parseObject(text: string, fail: FailHinting): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(withoutMark(text)) as JsonValue;
  } catch (error) {
    if (/^(<{7}|={7}|>{7})/m.test(text))
      throw fail(
        "it contains merge conflict markers",
        "Run `codemode lock --repair`: it keeps what both sides agree on.",
      );
    throw fail(`it is not valid JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw fail("it is not a JSON object");
  return value;
}

function parseServer(id: string, value: JsonValue, fail: Fail, digest: TextDigest | undefined): LockedServer {
  if (!isJsonObject(value)) throw fail("it is not an object");
  const instructions = ownValue(value, "instructions");
  const [resources, prompts] = OPERATION_LISTS.map(({ list }) =>
    Object.hasOwn(value, list) ? parseTools(value, list, fail, digest) : undefined,
  );
  const server: LockedServer = {
    id,
    name: string(value, "name", fail),
    source: parseSource(ownValue(value, "source"), fail),
    serverInfo: object(value, "serverInfo", fail),
    protocolVersion: string(value, "protocolVersion", fail),
    era: ownValue(value, "era") === "modern" ? "modern" : "legacy",
    capabilities: object(value, "capabilities", fail),
    clientCapabilities: object(value, "clientCapabilities", fail),
    ...withoutUndefined({ instructions: typeof instructions === "string" ? instructions : undefined }),
    integrity: string(value, "integrity", fail) as LockedServer["integrity"],
    ...withoutUndefined({ openObjects: ownValue(value, "openObjects") === "index" ? ("index" as const) : undefined }),
    tools: parseTools(value, "tools", fail, digest),
    ...withoutUndefined({ resources, prompts }),
  };
  if (serverIntegrity(server, digest) !== server.integrity) throw fail("its integrity does not match its content");
  return server;
}

function parseTools(
  server: JsonObject,
  list: "tools" | OperationList,
  fail: Fail,
  digest: TextDigest | undefined,
): LockedTool[] {
  const value = ownValue(server, list);
  if (!Array.isArray(value)) throw fail(`"${list}" is not a list`);
  const what = list.slice(0, -1);
  const tools = value.map((tool, index) => parseTool(tool, (problem) => fail(`${what} ${index}: ${problem}`), digest));
  const stray = tools.find(({ name }) => (listOfName(name) ?? "tools") !== list);
  if (stray !== undefined) throw fail(`"${stray.name}" is no name of "${list}"`);
  assertNames(tools, fail);
  return tools;
}

function parseTool(value: JsonValue, fail: Fail, digest: TextDigest | undefined): LockedTool {
  if (!isJsonObject(value)) throw fail("it is not an object");
  const tool: LockedTool = {
    name: string(value, "name", fail),
    exportName: string(value, "exportName", fail),
    integrity: string(value, "integrity", fail) as LockedTool["integrity"],
  };
  if (Object.hasOwn(value, "templateName")) tool.templateName = string(value, "templateName", fail);
  if (Object.hasOwn(value, "title")) tool.title = string(value, "title", fail);
  if (Object.hasOwn(value, "description")) tool.description = string(value, "description", fail);
  for (const key of ["inputSchema", "outputSchema", "annotations"] as const) {
    const member = ownValue(value, key);
    if (member !== undefined) tool[key] = member;
  }
  if (Object.hasOwn(value, "outputSchemaFrom")) {
    if (ownValue(value, "outputSchemaFrom") !== "configuration") throw fail('"outputSchemaFrom" is unknown');
    tool.outputSchemaFrom = "configuration";
  }
  const observed = ownValue(value, "observed");
  if (observed !== undefined) {
    const parsed = parseObserved(observed, (problem) => fail(`"observed" of "${tool.name}": ${problem}`));
    tool.observed = formatObserved(parsed);
  }
  if (lockedIntegrity(tool, digest) !== tool.integrity)
    throw fail(`the integrity of "${tool.name}" does not match its content`);
  return tool;
}

/** Export names become code: they are computed again, never believed. */
function assertNames(tools: readonly LockedTool[], fail: Fail): void {
  const exportNames = assignOperationNames(tools);
  if (exportNames.size !== tools.length) throw fail("two tools have the same name");
  for (const { name, exportName } of tools) {
    if (exportNames.get(name) !== exportName) throw fail(`"exportName" of "${name}" is not ${exportNames.get(name)}`);
  }
}

function parseSource(value: JsonValue | undefined, fail: Fail): LockedSource {
  if (value === undefined || !isJsonObject(value)) throw fail('"source" is not an object');
  const transport = ownValue(value, "transport");
  if (transport === "stdio") {
    const cwd = ownValue(value, "cwd");
    const started = ownValue(value, "package");
    return {
      transport,
      command: string(value, "command", fail),
      args: strings(value, "args", fail),
      env: strings(value, "env", fail),
      ...withoutUndefined({
        inheritEnv: ownValue(value, "inheritEnv") === undefined ? undefined : strings(value, "inheritEnv", fail),
        cwd: typeof cwd === "string" ? cwd : undefined,
        package: started === undefined ? undefined : parsePackage(started, fail),
      }),
    };
  }
  if (transport === "program") return { transport };
  if (transport !== "http" && transport !== "sse") throw fail('"source.transport" is unknown');
  return { transport, url: string(value, "url", fail), headers: strings(value, "headers", fail) };
}

function parsePackage(value: JsonValue, fail: Fail): LockedPackage {
  if (!isJsonObject(value)) throw fail('"source.package" is not an object');
  const [version, integrity] = [ownValue(value, "version"), ownValue(value, "integrity")];
  return {
    name: string(value, "name", fail),
    floats: ownValue(value, "floats") === true,
    ...withoutUndefined({
      version: typeof version === "string" ? version : undefined,
      integrity: typeof integrity === "string" ? integrity : undefined,
    }),
  };
}

function string(from: JsonObject, key: string, fail: Fail): string {
  const value = ownValue(from, key);
  if (typeof value !== "string") throw fail(`"${key}" is not a string`);
  return value;
}

function strings(from: JsonObject, key: string, fail: Fail): string[] {
  const value = ownValue(from, key);
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    throw fail(`"${key}" is not a list of strings`);
  return value;
}

function object(from: JsonObject, key: string, fail: Fail): JsonObject {
  const value = ownValue(from, key);
  if (value === undefined || !isJsonObject(value)) throw fail(`"${key}" is not an object`);
  return value;
}

const LOCKFILE_SCHEMA = "./node_modules/codemode/schemas/lockfile.schema.json";

/**
 * The text of `codemode.lock.json`: the same servers give the same bytes.
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { formatLockfile, type Lockfile } from "codemode";
 *
 * export const save = (lockfile: Lockfile): Promise<void> => writeFile("codemode.lock.json", formatLockfile(lockfile));
 */
export function formatLockfile(lockfile: Lockfile): string {
  return sortedJson({
    $schema: LOCKFILE_SCHEMA,
    lockfileVersion: LOCKFILE_VERSION,
    servers: toJsonObject([...lockfile.servers].map(([id, server]) => [id, toJson(server)])),
  });
}

/** What is of one process has no place in a file. */
function toJson({ id: _, isPartial: __, packageFolder: ___, ...server }: LockedServer): JsonObject {
  // Lockfile values are JSON already; only readonly arrays and interfaces need telling so.
  return asJson(server);
}
