import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { join, posix } from "node:path";
import { NotUtf8 } from "../../../runtime/files/decode-text.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";
import {
  isJsonObject,
  ownValue,
  parseJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";
import { serverIdOf } from "../../../schemas/lock/operations.ts";
import { type ServerMeta, printMeta } from "../../../templates/generated-package.ts";
import { importFailure, lockDrift, type ImportProblem, quote } from "../modules/import-problem.ts";
import {
  describeUnreadable,
  isAbsent,
  type ReadSource,
  readSource,
  type SourceFile,
  toSourceFile,
} from "../modules/source-files.ts";
import { nearestTool } from "@codemode/runtime/nearest-name";
import type { ImportUse } from "../syntax/find-imports.ts";
import { isPrinted, toPrintedPath } from "./printed-package.ts";
import { toServerModuleId, SERVERS_PREFIX } from "../modules/module-ids.ts";

/** What the bundler knows of a generated server package without reading its modules. */
export interface ServerPackage {
  serverId: string;
  /** The server's, or the one of its resources or prompts (`modulesOf`). */
  moduleId: string;
  /** Keyed by export name. */
  tools: ReadonlyMap<string, GeneratedTool>;
  /** What `__meta__` has to say where tools are hidden from the caller; the generated module names them all. */
  meta?: ServerMeta | undefined;
  /** The `tools.json` that says so. */
  source: SourceFile;
}

interface GeneratedTool {
  toolName: string;
  exportName: string;
  /** Path of the tool's module below the server's folder, normalized. */
  module: string;
  integrity: Integrity;
}

export type ServerPackageOutcome = { ok: true; serverPackage: ServerPackage } | { ok: false; problem: ImportProblem };

/** As a lockfile. */
const MAX_LISTING_BYTES = 256 * 1024 * 1024;

/** What was found last: a text that has not changed is not parsed again. */
const known = new WeakMap<LockedServer, { source: SourceFile; outcome: ServerPackageOutcome }>();

/** Reads `tools.json` of a server package and holds it against the lockfile: what differs was not generated from it. */
export function loadServerPackage(generatedFolder: string, locked: LockedServer): ServerPackageOutcome {
  if (isPrinted(generatedFolder, locked)) return toPrintedPackage(locked);
  const file = join(locked.packageFolder ?? generatedFolder, locked.id, "tools.json");
  let read: ReadSource;
  try {
    read = readSource(file, MAX_LISTING_BYTES);
  } catch (error) {
    if (isAbsent(error)) return lockDrift(`The package of the server "${locked.id}" has not been generated.`);
    if (error instanceof NotUtf8) return lockDrift(`The generated package of the server "${locked.id}" is damaged.`);
    const what = `tools.json of the server "${locked.id}"`;
    return importFailure(
      `The generated file ${what} cannot be read: ${describeUnreadable(error)}.`,
      "Check the drive, and the permissions of the file.",
    );
  }
  const last = known.get(locked);
  if (last?.source.file === file && last.source.digest === read.source.digest) return last.outcome;
  const outcome = toServerPackage(read, locked);
  known.set(locked, { source: read.source, outcome });
  return outcome;
}

function toPrintedPackage(locked: LockedServer): ServerPackageOutcome {
  const tools = locked.tools.map((tool): [string, GeneratedTool] => {
    const { name: toolName, exportName, integrity } = tool;
    return [exportName, { toolName, exportName, integrity, module: toPrintedPath(tool) }];
  });
  const source = toSourceFile("", locked.integrity);
  const serverPackage = { serverId: serverIdOf(locked.id), moduleId: locked.id, tools: new Map(tools), source };
  return { ok: true, serverPackage: { ...serverPackage, meta: toMeta(locked) } };
}

function toServerPackage({ text, source }: ReadSource, locked: LockedServer): ServerPackageOutcome {
  const listing = parseJsonObject(text);
  if (listing === undefined) return lockDrift(`The generated package of the server "${locked.id}" is damaged.`);
  const tools = matchTools(listing, locked);
  if (tools === undefined) {
    return lockDrift(`The generated package of the server "${locked.id}" is out of date with the lockfile.`);
  }
  const meta = locked.isPartial === true ? { meta: toMeta(locked) } : {};
  return { ok: true, serverPackage: { serverId: serverIdOf(locked.id), moduleId: locked.id, tools, source, ...meta } };
}

export function toMeta({ id, name, serverInfo, tools }: LockedServer): ServerMeta {
  const version = ownValue(serverInfo, "version");
  return {
    serverId: serverIdOf(id),
    serverName: name,
    serverVersion: typeof version === "string" ? version : undefined,
    tools: tools.map(({ name: toolName, exportName, description }) => ({
      toolName,
      exportName,
      ...withoutUndefined({ description }),
    })),
  };
}

/** The listed tools, each known to the lockfile by the same name and integrity. Undefined where anything differs. */
function matchTools(listing: JsonObject, locked: LockedServer): Map<string, GeneratedTool> | undefined {
  const listed = ownValue(listing, "tools");
  const isOfServer = ownValue(listing, "serverId") === serverIdOf(locked.id);
  const isOfLockfile = ownValue(listing, "serverIntegrity") === locked.integrity;
  if (!isOfServer || !isOfLockfile || listed === undefined || !isJsonObject(listed)) return undefined;
  const tools = new Map<string, GeneratedTool>();
  for (const tool of locked.tools) {
    const module = matchModule(ownValue(listed, tool.exportName), tool);
    if (module === undefined) return undefined;
    const { name: toolName, exportName, integrity } = tool;
    tools.set(exportName, { toolName, exportName, integrity, module });
  }
  return tools;
}

/** The module of a listed tool, where the listing agrees with the lockfile. */
function matchModule(entry: JsonValue | undefined, tool: LockedTool): string | undefined {
  if (entry === undefined || !isJsonObject(entry) || !isIdentifier(tool.exportName)) return undefined;
  if (ownValue(entry, "toolName") !== tool.name || ownValue(entry, "integrity") !== tool.integrity) return undefined;
  const module = ownValue(entry, "module");
  return typeof module === "string" && isInnerPath(module) ? posix.normalize(module) : undefined;
}

function isInnerPath(path: string): boolean {
  return !posix.isAbsolute(path) && !/^\.\.(\/|$)/.test(posix.normalize(path));
}

/** Export names become code in the index; anything but an identifier could inject code. */
function isIdentifier(name: string): boolean {
  return /^[$_\p{ID_Start}][$_\u200c\u200d\p{ID_Continue}]*$/u.test(name);
}

/** The export of every server package that describes the server itself. */
export const META_EXPORT = "__meta__";
const META_MODULE = "meta.js";

/** The exports of a server that one module may use, sorted by their order in the package. */
export function selectExports({ tools }: ServerPackage, use: ImportUse): string[] {
  return [...tools.keys(), META_EXPORT].filter((name) => use.whole || use.names.has(name) || use.members.has(name));
}

/**
 * Prints an index of a server package that re-exports the given names only, so that the modules of all other tools are
 * not even read.
 */
export function printServerIndex({ moduleId, tools, meta }: ServerPackage, names: readonly string[]): string {
  const lines = names.map((name) => {
    const isPrinted = name === META_EXPORT && meta !== undefined;
    const module = JSON.stringify(toServerModuleId(moduleId, tools.get(name)?.module ?? META_MODULE));
    const taken = isPrinted ? "" : `import { ${name} as taken$${name} } from ${module};\n`;
    const value = isPrinted ? printMeta(meta) : `taken$${name}`;
    const frozen = `const frozen$${name} = /*#__PURE__*/ freeze$(${value});\n`;
    return `${taken}${frozen}export { frozen$${name} as ${name} };\n`;
  });
  return FREEZE + lines.join("");
}

/** Freezes a value with all that is in it: what a module gives to scripts is not for them to change (specification 11). */
const FREEZE = `const freeze$ = (value) => {
if (typeof value === "object" && value !== null) for (const key of Object.keys(value)) freeze$(value[key]);
return Object.freeze(value);
};
`;

/** True for every name that `import { name }` of the server gives. */
export function isServerExport({ tools }: ServerPackage, name: string): boolean {
  return tools.has(name) || name === META_EXPORT;
}

/**
 * Says that a server package has no export of that name.
 * @param owner the module of a server that has such a tool
 */
export function describeMissingTool({ moduleId, tools }: ServerPackage, name: string, owner?: string): ImportProblem {
  const specifier = SERVERS_PREFIX + moduleId;
  if (name === "default") {
    const local = moduleId.replace(/\W/g, "_").replace(/^(?=\d)/, "_");
    return {
      code: "IMPORT_FAILURE",
      message: `The server "${moduleId}" has no default export.`,
      hint: `Write \`import * as ${local} from "${specifier}"\`, or name the tools: \`import { … } from "${specifier}"\`.`,
    };
  }
  const byToolName = [...tools.values()].find((tool) => tool.toolName === name)?.exportName;
  const nearest = byToolName ?? nearestTool(name, [...tools.keys()]);
  const isElsewhere = byToolName === undefined && owner !== undefined;
  return {
    code: "IMPORT_FAILURE",
    message: `The server "${moduleId}" has no tool ${quote(name)}.`,
    hint: isElsewhere
      ? `Another server has it: \`import { ${name} } from "${SERVERS_PREFIX}${owner}";\`.`
      : nearest === undefined
        ? listTools([...tools.keys()])
        : `Did you mean \`${nearest}\`?`,
  };
}

/** How many tools a hint lists at most. */
const LISTED_TOOLS = 10;

function listTools(exportNames: readonly string[]): string {
  if (exportNames.length === 0) return "It has no tools.";
  const more = exportNames.length > LISTED_TOOLS ? ` and ${exportNames.length - LISTED_TOOLS} more` : "";
  return `Its tools: ${exportNames.slice(0, LISTED_TOOLS).join(", ")}${more}.`;
}
