import type { RollupLog } from "rollup";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { toDiagnostic } from "./syntax/check-module.ts";
import { namesExportedBy, type ModuleExports } from "./syntax/exported-names.ts";
import { type ImportProblem, quote } from "./modules/import-problem.ts";
import { indexedModule, ownerOf, toOwnedPath, toScriptPath } from "./modules/module-ids.ts";
import { describeMissingName } from "./imports/missing-names.ts";
import { describeDamage, type ImportResolver } from "./imports/resolve-imports.ts";
import { describeMissingTool } from "./servers/load-server-package.ts";
import { formatPath } from "./syntax/source-position.ts";
import { constantImport, isTooDeep, syntaxError, tooDeepError } from "./syntax/syntax-error.ts";

/** What is needed to tell the author about a finding of Rollup's. */
export interface RollupContext {
  scriptId: string;
  scriptName: string;
  resolver: ImportResolver;
  exports: ModuleExports;
}

/** Tells the author what Rollup found. Undefined where it is no mistake of the author's, but one of codemode's. */
export function toAuthorDiagnostic(log: RollupLog, context: RollupContext): Diagnostic | undefined {
  if (log.code === "MISSING_EXPORT") return describeMissingExport(log, context);
  if (log.code === "ILLEGAL_REASSIGNMENT") return describeReassignment(log, context);
  if (isTooDeep(log)) return tooDeepError();
  const id = log.id ?? log.loc?.file;
  if (id === undefined) return undefined;
  // What a hook of ours throws without meaning to is a mistake of ours.
  if (ownerOf(id) === "author" && log.code !== "PLUGIN_ERROR")
    return syntaxError(plainMessage(log.message), toPath(log, context));
  const owner = context.resolver.packages.packageOf(id);
  if (owner !== undefined && log.code !== "PLUGIN_ERROR")
    return toDiagnostic(describeBroken(owner.name, log.message), undefined);
  if (ownerOf(id) === "server") return toDiagnostic(describeDamage(serverOf(id)), undefined);
  return undefined;
}

/** A name that the imported module does not export; `binding` and `exporter` are Rollup's fields for it. */
export function describeMissingExport(log: RollupLog, context: RollupContext): Diagnostic {
  const { binding = "", exporter = "" } = log;
  const path = toPath(log, context);
  if (ownerOf(exporter) === "server") return toDiagnostic(describeDamage(serverOf(exporter)), path);
  const server = context.resolver.servers.get(indexedModule(exporter) ?? "");
  if (server !== undefined) return toDiagnostic(describeMissingTool(server, binding), path);
  const importer = context.resolver.packages.packageOf(log.id ?? "");
  if (importer !== undefined) {
    const what = `It imports ${quote(binding)} from "${showExporter(exporter, context)}", which does not export it`;
    return toDiagnostic(describeBroken(importer.name, what), undefined);
  }
  const known = namesExportedBy(exporter, context.exports);
  return toDiagnostic(describeMissingName(showExporter(exporter, context), binding, known), path);
}

/** An assignment to an import, or to a member of a namespace, which Rollup would turn into one to the binding itself. */
export function describeReassignment(log: RollupLog, context: RollupContext): Diagnostic {
  return constantImport(toPath(log, context));
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
export function showExporter(id: string, { scriptId, scriptName, resolver }: RollupContext): string {
  if (ownerOf(id) === "package") return resolver.packages.packageOf(id)?.name ?? "";
  if (id === scriptId) return scriptName;
  return ownerOf(id) === "author" ? toScriptPath(id) : `@codemode/${toOwnedPath(id).replace(/\.js$/, "")}`;
}

/** Where Rollup's finding is in the author's source; its columns count from 0. */
function toPath({ id, loc }: RollupLog, { scriptId, scriptName }: RollupContext): string | undefined {
  const module = loc?.file ?? id;
  if (loc === undefined || module === undefined || ownerOf(module) !== "author") return undefined;
  const name = module === scriptId ? scriptName : toScriptPath(module);
  return formatPath(name, { line: loc.line, column: loc.column + 1 });
}

/** Rollup names the module before its message; ours stands in `path`. */
function plainMessage(message: string): string {
  return message.replace(/^\S+ \(\d+:\d+\): /, "");
}
