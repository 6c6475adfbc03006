import { createRequire } from "node:module";
import { dirname, posix } from "node:path";

/** The start of every import of a server package. */
export const SERVERS_PREFIX = "@codemode/servers/";

/** The start of every import of an earlier result. */
export const RESULTS_PREFIX = "@codemode/results/";

/** The start of every import of the runtime by generated code. */
const RUNTIME_PREFIX = "@codemode/runtime/";

/**
 * Ids of modules inside a bundle. They are made of names, never of paths of the machine: so the same inputs give the
 * same bytes everywhere, and no message of the bundler can tell where a file lies. A file of the author's can never take
 * the id of a generated one.
 */
export const ENTRY_ID = "\0entry";
const SCRIPT = "script/";
const SERVERS = "servers/";
const RUNTIME = "runtime/";
const PACKAGES = "node_modules/";
const INDEX = "\0index/";
const RESULTS = "\0results/";

type ModuleOwner = "author" | "server" | "runtime" | "package" | "bundler";

/** Who wrote the module of that id. */
export function moduleOwner(id: string): ModuleOwner {
  if (id.startsWith(SCRIPT)) return "author";
  if (id.startsWith(SERVERS)) return "server";
  if (id.startsWith(PACKAGES)) return "package";
  return id.startsWith(RUNTIME) ? "runtime" : "bundler";
}

/** True for modules that codemode made or brings along. */
export function isOwnModule(id: string): boolean {
  return !["author", "package"].includes(moduleOwner(id));
}

/** `path` is below the script's folder. */
export function toScriptId(path: string): string {
  return SCRIPT + path;
}

/** The file name of the script: relative imports start in its folder, however much of the path its name shows. */
export function toModulePath(name: string): string {
  const base = posix.basename(name);
  return /^[\w.-]+$/.test(base) && !/^\.+$/.test(base) ? base : `script${posix.extname(base)}`;
}

/** The path below the script's folder, of an author's module. */
export function toScriptPath(id: string): string {
  return id.slice(SCRIPT.length);
}

/** `path` is below the server's generated folder. */
export function toServerModuleId(serverId: string, path: string): string {
  return posix.join(SERVERS, serverId, path);
}

/** `path` is below the folder of the runtime's modules. */
export function toRuntimeId(path: string): string {
  return posix.join(RUNTIME, path);
}

/** An index of a server's module that holds some of its exports. The id ends in the module, which Rollup names variables after. */
export function toIndexId(moduleId: string, names: readonly string[]): string {
  return `${INDEX}${names.join(",")}/${moduleId}`;
}

/** The module of an index, undefined for other modules. */
export function indexedModule(id: string): string | undefined {
  return id.startsWith(INDEX) ? id.slice(id.indexOf("/", INDEX.length) + 1) : undefined;
}

/** The module of an earlier result. */
export function toResultId(id: string): string {
  return RESULTS + id;
}

export function isResultModule(id: string): boolean {
  return id.startsWith(RESULTS);
}

/** Modules that the runtime has for Node and for everything else; a sandbox is everything else. */
const RUNTIME_VARIANTS = new Map([["#caller", "caller"]]);

/** What a generated module or one of the runtime imports; undefined where it may not. */
export function resolveForGenerated(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith(".")) return resolveSibling(importer, specifier);
  const variant = moduleOwner(importer) === "runtime" ? RUNTIME_VARIANTS.get(specifier) : undefined;
  if (variant !== undefined) return toRuntimeId(`${variant}.js`);
  if (!specifier.startsWith(RUNTIME_PREFIX)) return undefined;
  return toRuntimeId(`${specifier.slice(RUNTIME_PREFIX.length)}.js`);
}

/** What a relative import between modules of one owner means; undefined where it would leave that owner's folder. */
function resolveSibling(importer: string, specifier: string): string | undefined {
  const id = posix.join(posix.dirname(importer), specifier);
  return moduleOwner(id) === moduleOwner(importer) ? id : undefined;
}

/** The path in an owner's folder of a generated or runtime module. */
export function toOwnedPath(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

/** `path` is below the folder of the package, which has that label in this bundle. */
export function toPackageModuleId(label: string, path: string): string {
  return posix.join(PACKAGES, label, path);
}

/** The path below the folder of its package, of a package's module. */
export function toPackagePath(id: string, label: string): string {
  return id.slice(PACKAGES.length + label.length + 1);
}

/** How a module that is not the author's is called in source maps and messages. */
export function toPublicName(id: string): string {
  return moduleOwner(id) === "package" ? id : `@codemode/${id}`;
}

/** The folder of the runtime's modules: codemode's own installation, never one of the user's project. */
export function runtimeFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("@codemode/runtime/v1"));
}
