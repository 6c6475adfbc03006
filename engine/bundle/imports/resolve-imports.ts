import { isBuiltin } from "node:module";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import { describeForeignImport, describeUnknownResult, describeUnlockedServer } from "./describe-foreign-import.ts";
import type { ImportUse } from "../syntax/find-imports.ts";
import { findScriptModule } from "./find-script-module.ts";
import { serverNameInPath, serverOfPath } from "./server-paths.ts";
import type { ImportOutcome, PlacedProblem } from "../modules/import-problem.ts";
import {
  loadServerPackage,
  type ServerPackage,
  type ServerPackageOutcome,
  describeMissingTool,
  isServerExport,
  printServerIndex,
  selectExports,
} from "../servers/load-server-package.ts";
import type { AuthorImportMeaning } from "./author-modules.ts";
import { findUnmentionedNames } from "./missing-names.ts";
import {
  indexedModule,
  moduleOwner,
  toIndexId,
  toResultId,
  toOwnedPath,
  toRuntimeId,
  toScriptId,
  toScriptPath,
  SERVERS_PREFIX,
  runtimeFolder,
  RESULTS_PREFIX,
} from "../modules/module-ids.ts";
import {
  findPackageMeaning,
  type PackageScope,
  describeMissingOfPackage,
  describeToolDrift,
} from "../packages/package-imports.ts";
import { makePackageModules, type PackageModules } from "../packages/package-modules.ts";
import { parsePackageSpecifier, type PackageSpecifier } from "../packages/find-package.ts";
import { findPublishedDrift, isPublished } from "../packages/published-server.ts";

export interface BundleOptions {
  /** The folder of `@codemode/servers`, with one folder for each server; empty where all modules are printed (`isPrinted`). */
  generatedFolder: string;
  lockfile: Lockfile;
  /** Absent where no package can be imported. */
  packages?: PackageScope | undefined;
  /** The earlier results that can be imported. */
  resultIds?: readonly string[] | undefined;
}

/** Modules of the runtime that scripts may import, and their names there. */
const SCRIPT_RUNTIME = new Map([
  ["@codemode/errors", "errors"],
  ["@codemode/discovery", "discovery"],
  ["@codemode/results", "results"],
]);

/** What one bundling has found so far of what imports mean. */
export interface Resolution {
  scope: BundleOptions;
  /** The script's, for relative imports. */
  folder: string | undefined;
  /** Code of modules that have no file, by id. */
  printed: Map<string, string>;
  /** Files of the author's modules, by id. */
  files: Map<string, string>;
  /** The server packages that were imported, by the id of their module. */
  servers: Map<string, ServerPackage>;
  /** The packages that mean a server of the project, by their names. */
  aliases: Map<string, { server: ServerPackage; published: LockedServer }>;
  /** The specifiers of servers that relative paths mean. */
  serverPaths: Map<string, string>;
  packages: PackageModules;
  modules: ReturnType<typeof modulesOfLockfile>;
  serverIds: readonly string[];
  /** How many earlier results were asked for. */
  resultCount: number;
}

export function makeResolution(scope: BundleOptions, folder: string | undefined): Resolution {
  return {
    scope,
    folder,
    printed: new Map(),
    files: new Map(),
    servers: new Map(),
    aliases: new Map(),
    serverPaths: new Map(),
    packages: makePackageModules(),
    modules: modulesOfLockfile(scope.lockfile),
    serverIds: [...scope.lockfile.servers.keys()],
    resultCount: 0,
  };
}

/** What a module of the author's imports. */
export function meaningFor(importer: string, resolution: Resolution): AuthorImportMeaning {
  const resolve = (use: ImportUse): ImportOutcome => resolveForAuthor(resolution, use, importer);
  return {
    resolve,
    findMissingNames: (use) => findMissingNames(resolution, use),
    findUnmentionedNames(use) {
      const outcome = resolve(use);
      const text = outcome.ok ? typedText(outcome.id, resolution) : undefined;
      return text === undefined ? [] : findUnmentionedNames(use, text);
    },
  };
}

function findMissingNames(
  { aliases, serverPaths, servers, modules }: Resolution,
  { specifier: written, names }: ImportUse,
): PlacedProblem[] {
  const specifier = serverPaths.get(written) ?? written;
  const alias = aliases.get(specifier);
  const isServer = specifier.startsWith(SERVERS_PREFIX);
  const server = isServer ? servers.get(specifier.slice(SERVERS_PREFIX.length)) : alias?.server;
  if (server === undefined) return [];
  const ownerOfTool = (name: string): string | undefined =>
    [...modules].find(([, { tools }]) => tools.some((tool) => tool.exportName === name))?.[0];
  return [...names].flatMap(([name, start]) => {
    if (!isServerExport(server, name)) return [{ ...describeMissingTool(server, name, ownerOfTool(name)), start }];
    if (alias === undefined || isPublished(alias.published, name)) return [];
    return [{ ...describeMissingOfPackage(specifier, name, server.serverId), start }];
  });
}

function openServer({ servers, scope }: Resolution, locked: LockedServer): ServerPackageOutcome {
  const known = servers.get(locked.id);
  if (known !== undefined) return { ok: true, serverPackage: known };
  const loaded = loadServerPackage(scope.generatedFolder, locked);
  if (loaded.ok) servers.set(locked.id, loaded.serverPackage);
  return loaded;
}

function printIndex({ printed }: Resolution, server: ServerPackage, names: readonly string[]): ImportOutcome {
  const id = toIndexId(server.moduleId, names);
  printed.set(id, printServerIndex(server, names));
  return { ok: true, id };
}

function resolveServer(resolution: Resolution, moduleId: string, use: ImportUse): ImportOutcome {
  const { modules, serverIds } = resolution;
  const locked = modules.get(moduleId);
  if (locked === undefined) return describeUnlockedServer(moduleId, serverIds);
  const opened = openServer(resolution, locked);
  return opened.ok ? printIndex(resolution, opened.serverPackage, selectExports(opened.serverPackage, use)) : opened;
}

function resolvePackage(
  resolution: Resolution,
  wanted: PackageSpecifier,
  use: ImportUse,
  packageScope: PackageScope,
): ImportOutcome {
  const { aliases, packages, serverIds, scope, folder } = resolution;
  const meaning = findPackageMeaning(wanted, packageScope, folder, scope.lockfile, packages.enter);
  if (!meaning.ok && serverIds.includes(use.specifier)) return describeForeignImport(use.specifier, serverIds);
  if (!meaning.ok) return "isForbidden" in meaning ? describeForeign(resolution, use, meaning) : meaning;
  if ("id" in meaning) return meaning;
  const { server: locked, published } = meaning;
  const opened = openServer(resolution, locked);
  if (!opened.ok) return opened;
  const server = opened.serverPackage;
  aliases.set(use.specifier, { server, published });
  const names = selectExports(server, use).filter((name) => isPublished(published, name));
  const drifted = findPublishedDrift(published, server, names);
  if (drifted.length > 0) return { ok: false, problem: describeToolDrift(wanted.name, drifted, locked.id) };
  return printIndex(resolution, server, names);
}

/** Where something is imported for a tool that a server has, the hint is the import that gives it. */
function describeForeign(
  { modules, serverIds }: Resolution,
  { specifier, names }: ImportUse,
  found?: Extract<ImportOutcome, { ok: false }>,
): ImportOutcome {
  const outcome = found ?? describeForeignImport(specifier, serverIds);
  if (outcome.ok || serverIds.includes(specifier)) return outcome;
  for (const [moduleId, { tools }] of modules) {
    const wanted = tools.map(({ exportName }) => exportName).filter((name) => names.has(name));
    if (wanted.length === 0) continue;
    const hint = `Import tools from their server: \`import { ${wanted.join(", ")} } from "${SERVERS_PREFIX}${moduleId}"\`.`;
    return { ok: false, problem: { ...outcome.problem, hint } };
  }
  return outcome;
}

/** A file beside the script, or a server where the path is one to a server and no such file is there. */
function resolveBeside(resolution: Resolution, use: ImportUse, importer: string): ImportOutcome {
  const { files, folder, modules, serverIds, serverPaths } = resolution;
  const { specifier } = use;
  const found = findScriptModule(folder, toScriptPath(importer), specifier);
  if (!found.ok) {
    const server = serverOfPath(specifier, modules);
    const unknown = folder === undefined ? serverNameInPath(specifier) : undefined;
    if (server === undefined) return unknown === undefined ? found : describeUnlockedServer(unknown, serverIds);
    serverPaths.set(specifier, server);
    return resolveServer(resolution, server.slice(SERVERS_PREFIX.length), use);
  }
  const id = toScriptId(found.relativePath);
  files.set(id, found.file);
  return { ok: true, id };
}

/** The text that has the types of a module, where it is the author's, a server's or the runtime's. */
export function typedText(id: string, { files, modules, scope }: Resolution): string | undefined {
  const module = indexedModule(id);
  const file =
    module !== undefined
      ? join(modules.get(module)?.packageFolder ?? scope.generatedFolder, module, "index.d.ts")
      : moduleOwner(id) === "runtime"
        ? join(runtimeFolder(), toOwnedPath(id).replace(/\.js$/, ".d.ts"))
        : files.get(id);
  try {
    return file === undefined ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The value is not part of the program: it comes from the host when the program starts. */
function resolveResult(resolution: Resolution, resultId: string): ImportOutcome {
  const { printed, scope } = resolution;
  resolution.resultCount += 1;
  if (scope.resultIds?.includes(resultId) !== true) return describeUnknownResult(resultId);
  const id = toResultId(resultId);
  const runtime = JSON.stringify(toRuntimeId("recall.js"));
  const read = `await recallResult(${JSON.stringify(resultId)})`;
  printed.set(id, `import { recallResult } from ${runtime};\nexport default ${read};\n`);
  return { ok: true, id };
}

function resolveForAuthor(resolution: Resolution, use: ImportUse, importer: string): ImportOutcome {
  const { scope } = resolution;
  const { specifier } = use;
  const runtimeName = SCRIPT_RUNTIME.get(specifier);
  if (runtimeName !== undefined) return { ok: true, id: toRuntimeId(`${runtimeName}.js`) };
  if (/^\.{1,2}(\/|$)/.test(specifier)) return resolveBeside(resolution, use, importer);
  const moduleId = specifier.startsWith(SERVERS_PREFIX) ? specifier.slice(SERVERS_PREFIX.length) : "";
  if (moduleId !== "") return resolveServer(resolution, moduleId, use);
  if (specifier.startsWith(RESULTS_PREFIX)) return resolveResult(resolution, specifier.slice(RESULTS_PREFIX.length));
  const isOurs = isBuiltin(specifier) || specifier === "codemode" || specifier.startsWith("@codemode/");
  const wanted = isOurs ? undefined : parsePackageSpecifier(specifier);
  if (scope.packages === undefined || wanted === undefined) return describeForeign(resolution, use);
  return resolvePackage(resolution, wanted, use, scope.packages);
}
