import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { Lockfile } from "../../../schemas/lockfile.ts";
import { describeForeignImport, describeUnknownServer, SERVERS_PREFIX } from "./describe-foreign-import.ts";
import type { ImportUse } from "./find-imports.ts";
import { findScriptModule } from "./find-script-module.ts";
import { lockDrift, type ImportOutcome, type ImportProblem, type PlacedProblem } from "./import-problem.ts";
import { loadServerPackage, type ServerPackage } from "./load-server-package.ts";
import { resolveSibling, toIndexId, toRuntimeId, toScriptId, toScriptPath } from "./module-ids.ts";
import { describeMissingTool, isServerExport, printServerIndex, selectExports } from "./server-index.ts";

/** Where imports may lead. */
export interface ImportScope {
  scriptId: string;
  folder: string | undefined;
  generatedFolder: string;
  lockfile: Lockfile;
}

/** Finds what imports mean, and remembers what was found. */
export interface ImportResolver {
  /** What a module of the author's imports. */
  resolveForAuthor(use: ImportUse, importer: string): ImportOutcome;
  /** The names that a module of the author's asks for and the server does not have, with their offsets. */
  findMissingNames(use: ImportUse): PlacedProblem[];
  /** What a generated module or one of the runtime imports; undefined where it may not. */
  resolveForGenerated(specifier: string, importer: string): string | undefined;
  /** Code of modules that have no file, by id. */
  readonly printed: ReadonlyMap<string, string>;
  /** Files of the author's modules, by id. */
  readonly files: ReadonlyMap<string, string>;
  /** The server packages that were imported, by server id. */
  readonly servers: ReadonlyMap<string, ServerPackage>;
}

/** Modules of the runtime that scripts may import, and their names there. */
const SCRIPT_RUNTIME = new Map([
  ["@codemode/errors", "errors"],
  ["@codemode/discovery", "discovery"],
]);

const RUNTIME_PREFIX = "@codemode/runtime/";

export function makeImportResolver(scope: ImportScope): ImportResolver {
  const printed = new Map<string, string>();
  const files = new Map<string, string>();
  const servers = new Map<string, ServerPackage>();
  const serverIds = [...scope.lockfile.servers.keys()];

  function resolveServer(serverId: string, use: ImportUse): ImportOutcome {
    const locked = scope.lockfile.servers.get(serverId);
    if (locked === undefined) return describeUnknownServer(serverId, serverIds);
    if (!servers.has(serverId)) {
      const loaded = loadServerPackage(scope.generatedFolder, locked);
      if (!loaded.ok) return loaded;
      servers.set(serverId, loaded.serverPackage);
    }
    const server = servers.get(serverId) as ServerPackage;
    const names = selectExports(server, use);
    const id = toIndexId(serverId, names);
    printed.set(id, printServerIndex(server, names));
    return { ok: true, id };
  }

  function resolveBeside(specifier: string, importer: string): ImportOutcome {
    const found = findScriptModule(scope.folder, toScriptPath(importer), specifier);
    if (!found.ok) return found;
    const id = toScriptId(found.relativePath);
    files.set(id, found.file);
    return { ok: true, id };
  }

  return {
    printed,
    files,
    servers,
    resolveForAuthor(use, importer) {
      const { specifier } = use;
      const runtimeName = SCRIPT_RUNTIME.get(specifier);
      if (runtimeName !== undefined) return { ok: true, id: toRuntimeId(`${runtimeName}.js`) };
      if (/^\.{1,2}(\/|$)/.test(specifier)) return resolveBeside(specifier, importer);
      const serverId = specifier.startsWith(SERVERS_PREFIX) ? specifier.slice(SERVERS_PREFIX.length) : "";
      return serverId === "" ? describeForeignImport(specifier, serverIds) : resolveServer(serverId, use);
    },
    findMissingNames({ specifier, names }) {
      const server = servers.get(specifier.slice(SERVERS_PREFIX.length));
      if (server === undefined || !specifier.startsWith(SERVERS_PREFIX)) return [];
      const missing = [...names].filter(([name]) => !isServerExport(server, name));
      return missing.map(([name, start]) => ({ ...describeMissingTool(server, name), start }));
    },
    resolveForGenerated(specifier, importer) {
      if (specifier.startsWith(".")) return resolveSibling(importer, specifier);
      if (!specifier.startsWith(RUNTIME_PREFIX)) return undefined;
      return toRuntimeId(`${specifier.slice(RUNTIME_PREFIX.length)}.js`);
    },
  };
}

/** The folder of the runtime's modules: that of codemode's own installation, never one of the user's project. */
export function runtimeFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(`${RUNTIME_PREFIX}v1`));
}

/** The problem with a generated module that cannot be read or parsed, or that imports what it may not. */
export function describeDamage(serverId: string): ImportProblem {
  return lockDrift(`The generated package of the server "${serverId}" is damaged.`).problem;
}
