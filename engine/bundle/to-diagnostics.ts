import type { RollupLog } from "rollup";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { namesExportedBy } from "./syntax/exported-names.ts";
import { type ImportProblem, quote, toDiagnostic, describeDamage } from "./modules/import-problem.ts";
import { indexedModule, moduleOwner, toOwnedPath, toScriptPath } from "./modules/module-ids.ts";
import { describeMissingName, isMentioned } from "./imports/missing-names.ts";
import type { Build } from "./build.ts";
import { describeMissingTool } from "./servers/load-server-package.ts";
import { formatPath, pathInModule } from "./syntax/source-position.ts";
import { constantImport, isTooDeep, syntaxError, tooDeepError } from "./syntax/syntax-error.ts";
import { typedText } from "./imports/resolve-imports.ts";

/** Tells the author what Rollup found. Undefined where it is no mistake of the author's, but one of codemode's. */
export function toAuthorDiagnostic(log: RollupLog, build: Build): Diagnostic | undefined {
  if (log.code === "MISSING_EXPORT") return describeMissingExport(log, build);
  if (log.code === "ILLEGAL_REASSIGNMENT") return describeReassignment(log, build);
  if (isTooDeep(log)) return tooDeepError();
  const id = log.id ?? log.loc?.file;
  if (id === undefined) return undefined;
  // What a hook of ours throws without meaning to is a mistake of ours.
  if (moduleOwner(id) === "author" && log.code !== "PLUGIN_ERROR")
    return syntaxError(plainMessage(log.message), toPath(log, build));
  const owner = build.resolution.packages.packageOf(id);
  if (owner !== undefined && log.code !== "PLUGIN_ERROR")
    return toDiagnostic(describeBroken(owner.name, log.message), undefined);
  if (moduleOwner(id) === "server") return toDiagnostic(describeDamage(serverOf(id)), undefined);
  return undefined;
}

/** A name that the imported module does not export; `binding` and `exporter` are Rollup's fields for it. */
export function describeMissingExport(log: RollupLog, build: Build): Diagnostic {
  const { binding = "", exporter = "" } = log;
  const path = toPath(log, build);
  if (moduleOwner(exporter) === "server") return toDiagnostic(describeDamage(serverOf(exporter)), path);
  const server = build.resolution.servers.get(indexedModule(exporter) ?? "");
  if (server !== undefined) return toDiagnostic(describeMissingTool(server, binding), path);
  const importer = build.resolution.packages.packageOf(log.id ?? "");
  if (importer !== undefined) {
    const what = `It imports ${quote(binding)} from "${showExporter(exporter, build)}", which does not export it`;
    return toDiagnostic(describeBroken(importer.name, what), undefined);
  }
  const known = namesExportedBy(exporter, build.exports);
  return toDiagnostic(describeMissingName(showExporter(exporter, build), binding, known), path);
}

/**
 * Finds names that a module imports or passes on from another of the author's, or from the runtime, and that are not there: Rollup
 * complains only of used ones. Names of servers and packages have been looked at before.
 */
export async function findMissingExports(build: Build): Promise<Diagnostic[]> {
  const { authors, exports, resolution } = build;
  const diagnostics: Diagnostic[] = [];
  for (const module of authors.values()) {
    for (const { specifier, names } of module.uses) {
      const id = module.imports.get(specifier) ?? "";
      if (!["author", "runtime"].includes(moduleOwner(id))) continue;
      const known = namesExportedBy(id, exports);
      const typed = module.map === undefined ? undefined : typedText(id, resolution);
      for (const [name, start] of names) {
        if (known.includes(name) || name === "*") continue;
        // What TypeScript passes on without a word may be a type.
        if (typed !== undefined && isMentioned(name, typed)) continue;
        const problem = describeMissingName(showExporter(id, build), name, known);
        diagnostics.push(toDiagnostic(problem, await pathInModule(module, start)));
      }
    }
  }
  return diagnostics;
}

/** An assignment to an import, or to a member of a namespace, which Rollup would turn into one to the binding itself. */
export function describeReassignment(log: RollupLog, build: Build): Diagnostic {
  return constantImport(toPath(log, build));
}

/** The problem with a package whose modules do not fit together. */
function describeBroken(name: string, what: string): ImportProblem {
  return {
    code: "IMPORT_FAILURE",
    message: `The package ${quote(name)} cannot be bundled: ${quote(what).slice(1, -1)}.`,
    hint: "Install it again, or use another version of it.",
  };
}

/** The server that a generated module belongs to. */
function serverOf(id: string): string {
  return toOwnedPath(id).split("/")[0] ?? "";
}

/** What messages call the module of that id. */
function showExporter(id: string, { scriptId, script, resolution }: Build): string {
  if (moduleOwner(id) === "package") return resolution.packages.packageOf(id)?.name ?? "";
  if (id === scriptId) return script.name;
  return moduleOwner(id) === "author" ? toScriptPath(id) : `@codemode/${toOwnedPath(id).replace(/\.js$/, "")}`;
}

/** Where Rollup's finding is in the author's source; its columns count from 0. */
function toPath({ id, loc }: RollupLog, { scriptId, script }: Build): string | undefined {
  const module = loc?.file ?? id;
  if (loc === undefined || module === undefined || moduleOwner(module) !== "author") return undefined;
  const name = module === scriptId ? script.name : toScriptPath(module);
  return formatPath(name, { line: loc.line, column: loc.column + 1 });
}

/** Rollup names the module before its message; ours stands in `path`. */
function plainMessage(message: string): string {
  return message.replace(/^\S+ \(\d+:\d+\): /, "");
}
