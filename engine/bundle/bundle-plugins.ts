// `import type`: with inline `type` this would load Rollup as soon as the bundler is imported.
import type { LoadResult, Plugin, PluginContext, ProgramNode, RollupLog, TransformResult } from "rollup";
import { type AuthoredModule, prepareModule } from "./imports/author-modules.ts";
import { meaningFor } from "./imports/resolve-imports.ts";
import type { Build } from "./build.ts";
import { ENTRY_ID, moduleOwner, resolveForGenerated, toScriptPath } from "./modules/module-ids.ts";
import { describeUnreadable, readModuleText } from "./modules/source-files.ts";
import { describePackageFailure, preparePackageModule } from "./packages/prepare-package-module.ts";
import { bundleFailure, findCompileError } from "./program/compile-program.ts";
import { editModule, findNamelessDefault } from "./program/edit-modules.ts";
import { type EscapedCode, escapeSesTokens } from "./program/escape-ses-tokens.ts";
import { importFailure, toDiagnostic } from "./modules/import-problem.ts";
import { UnreadableModule } from "./servers/linked-tools.ts";
import { syntaxError } from "./syntax/syntax-error.ts";
import { NotUtf8 } from "../../runtime/files/decode-text.ts";
import { printRuntimeModule } from "./program/linked-runtime.ts";
import { findStarSources, hasDefaultExport } from "./syntax/exported-names.ts";
import { childNode, childNodes, type SyntaxNode } from "./syntax/syntax-tree.ts";

/** The plugins that give Rollup the modules of a build, and then edit them. */
export function makeBundlePlugins(build: Build): Plugin[] {
  return [
    {
      name: "codemode",
      resolveId(specifier, importer) {
        const id = importer === undefined ? specifier : resolveModule(build, specifier, importer);
        if (id === undefined) return this.error({ code: "FORBIDDEN_IMPORT", id: importer ?? "", message: specifier });
        return { id, moduleSideEffects: hasSideEffects(build, id) };
      },
      load(id) {
        return loadModule(build, id, this);
      },
      transform(source, id) {
        if (moduleOwner(id) === "package") return transformPackageModule(build, source, id, this);
        return moduleOwner(id) === "author" ? transformAuthored(build, source, id) : null;
      },
      moduleParsed(info) {
        build.exports.names.set(info.id, info.exports ?? []);
      },
      resolveImportMeta: () => "undefined",
      renderChunk: (code) => escapeChunk(build, code),
    },
    {
      name: "codemode-edits",
      transform(code, id) {
        const [isWhole, isNameless] = [hasSideEffects(build, id), build.nameless.has(id)];
        return editModule({ code, isWhole, isNameless, parse: build.parse });
      },
    },
  ];
}

function resolveModule({ importsOf, importers }: Build, specifier: string, importer: string): string | undefined {
  if (moduleOwner(importer) === "bundler") return specifier;
  const isForeign = ["author", "package"].includes(moduleOwner(importer));
  const id = isForeign ? importsOf.get(importer)?.get(specifier) : resolveForGenerated(specifier, importer);
  if (id !== undefined && moduleOwner(id) === "package" && !importers.has(id)) importers.set(id, importer);
  return id;
}

function hasSideEffects({ resolution }: Build, id: string): boolean {
  if (moduleOwner(id) === "package") return resolution.packages.hasSideEffects(id);
  return moduleOwner(id) === "author" || id === ENTRY_ID;
}

async function loadModule(build: Build, id: string, context: PluginContext): Promise<LoadResult> {
  const { scriptId, script, resolution, linkedTools } = build;
  if (id === ENTRY_ID) {
    const { program } = await prepareAuthored(build, scriptId, script.source);
    return printEntry(scriptId, program === undefined || hasDefaultExport(program));
  }
  if (id === scriptId) return script.source;
  const file = resolution.files.get(id) ?? resolution.packages.files.get(id);
  if (file !== undefined) return readAuthored(build, file, id, context);
  if (moduleOwner(id) === "bundler") return resolution.printed.get(id) ?? null;
  const linked = printRuntimeModule(id) ?? linkedTools.printModule(id);
  // Its lines are those of no file.
  if (linked !== undefined) return { code: linked, map: { mappings: "" } };
  return readOwned(build, id, context) ?? context.error({ code: "MISSING_MODULE", id, message: id });
}

/** A generated file that is there and cannot be read is not damaged: to generate it again would not help. */
function readOwned({ generated, diagnostics }: Build, id: string, context: PluginContext): string | null {
  try {
    return generated.read(id);
  } catch (error) {
    if (!(error instanceof UnreadableModule)) throw error;
    const { problem } = importFailure(error.message, "Check the drive, and the permissions of the file.");
    diagnostics.push(toDiagnostic(problem, undefined));
    return context.error({ ...REFUSED });
  }
}

/** A file that is not UTF-8 is a mistake of the author, like one of syntax. */
function readAuthored(build: Build, file: string, id: string, context: PluginContext): string {
  try {
    return readModuleText(file);
  } catch (error) {
    const name = moduleOwner(id) === "author" ? toScriptPath(id) : id;
    const hint = error instanceof NotUtf8 ? "Save it as UTF-8." : "Check the file and its permissions.";
    build.diagnostics.push(syntaxError(`Cannot read ${name}: ${describeUnreadable(error)}`, undefined, hint));
    return context.error({ ...REFUSED });
  }
}

async function transformPackageModule(
  build: Build,
  source: string,
  id: string,
  context: PluginContext,
): Promise<TransformResult> {
  const { packages } = build.resolution;
  const module = preparePackageModule({ path: packages.pathOf(id), source }, build.parse, (specifier) =>
    packages.resolve(specifier, id),
  );
  if (module.ok) {
    noteModule(build, id, module);
    const effects = packages.hasSideEffects(id) ? { moduleSideEffects: keepWhole(module.program) } : {};
    return { code: module.code, map: null, ...toAst(module.program), ...effects };
  }
  const chains = { importers: build.importers, authors: build.authors, packageOf: packages.packageOf };
  if (build.diagnostics.length === 0) build.diagnostics.push(await describePackageFailure(id, module, chains));
  return context.error({ ...REFUSED });
}

async function transformAuthored(build: Build, source: string, id: string): Promise<TransformResult> {
  const module = await prepareAuthored(build, id, source);
  const { code, map, program } = module;
  noteModule(build, id, module);
  build.authors.set(id, module);
  return {
    code,
    map: map === undefined ? null : { ...map, version: 3 },
    ...toAst(program),
    moduleSideEffects: keepWhole(program),
  };
}

/** Prepares a module of the author's once: the entry needs to know of the script's default export before Rollup reads the script. */
async function prepareAuthored(build: Build, id: string, source: string): Promise<AuthoredModule> {
  const { scriptId, script, parse, prepared, resolution, diagnostics } = build;
  const module = id === scriptId ? script : { name: toScriptPath(id), source };
  const pending = prepared.get(id) ?? prepareModule(module, parse, meaningFor(id, resolution));
  prepared.set(id, pending);
  const outcome = await pending;
  if (outcome.ok) return outcome;
  if (diagnostics.length === 0) diagnostics.push(...outcome.diagnostics);
  throw new Error(REFUSED.message);
}

/** Notes of a module what Rollup and the diagnostics ask for later. */
function noteModule(
  { importsOf, nameless, exports }: Build,
  id: string,
  { imports, program }: Pick<AuthoredModule, "imports" | "program">,
): void {
  importsOf.set(id, imports);
  if (program !== undefined && findNamelessDefault(program) !== undefined) nameless.add(id);
  const sources = program === undefined ? [] : findStarSources(program);
  const stars = sources.flatMap((specifier) => imports.get(specifier) ?? []);
  exports.stars.set(id, stars);
}

async function escapeChunk({ constants, diagnostics }: Build, code: string): Promise<EscapedCode | null> {
  try {
    const escaped = await escapeSesTokens(code);
    constants.push(...(escaped?.constants ?? []));
    return escaped ?? null;
  } catch (error) {
    // What the engine refuses too is found, with its place, when the finished program is compiled.
    if (findCompileError(`(async function () {"use strict";${code}\n})`) !== undefined) return null;
    diagnostics.push(bundleFailure(String(error)));
    throw error;
  }
}

/** Ends the build; what is wrong is among the diagnostics. */
const REFUSED: RollupLog = { code: "REFUSED", message: "The module has problems." };

/**
 * Tells Rollup to leave out nothing of a module: its notion of code without effect is not the language's. A module that only passes on
 * what others export has no code; whole, it would hold every tool of a server that it passes on.
 */
function keepWhole(program: SyntaxNode | undefined): "no-treeshake" | true {
  const statements = program === undefined ? [] : childNodes(program, "body");
  const hasCode = statements.some(
    (statement) =>
      !/^(Import|Export(All|Named))Declaration$/.test(statement.type) ||
      childNode(statement, "declaration") !== undefined,
  );
  return hasCode ? "no-treeshake" : true;
}

function toAst(program: SyntaxNode | undefined): { ast?: ProgramNode | undefined } {
  return program === undefined ? {} : { ast: program as unknown as ProgramNode };
}

/** The program around the script: a default export is the result, where the script itself set none. */
function printEntry(scriptId: string, hasDefaultExport: boolean): string {
  const source = JSON.stringify(scriptId);
  if (!hasDefaultExport) return `import ${source};\n`;
  return (
    `import result from ${source};\n` +
    "if (globalThis.__codemode_result__ === undefined) globalThis.__codemode_result__ = await result;\n"
  );
}
