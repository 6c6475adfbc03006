// `import type`: with inline `type` this would load Rollup as soon as the bundler is imported.
import type { Plugin, ProgramNode, RollupLog } from "rollup";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import {
  prepareModule,
  readModuleText,
  type AuthorModule,
  type Parse,
  type PreparedModule,
} from "./imports/author-modules.ts";
import { bundleFailure, findCompileError, type AuthoredModule } from "./program/compile-program.ts";
import { escapeSesTokens, type EscapedCode } from "./program/escape-ses-tokens.ts";
import { findStarSources, hasDefaultExport, type ModuleExports } from "./syntax/exported-names.ts";
import { preparePackageModule, describePackageFailure } from "./packages/prepare-package-module.ts";
import type { GeneratedModules } from "./servers/generated-source.ts";
import { linkedNames, printRuntimeModule } from "./servers/linked-runtime.ts";
import { makeLinkedTools, printOuterLines } from "./servers/linked-tools.ts";
import { makeDefaultNames, boundTrimming, fillEmptyCalls } from "./program/edit-modules.ts";
import type { PlacedLine } from "./program/wrap-program.ts";
import { ENTRY_ID, ownerOf, toScriptPath } from "./modules/module-ids.ts";
import type { ImportResolver } from "./imports/resolve-imports.ts";
import type { ScriptDeclarations } from "./syntax/script-declarations.ts";
import type { SourceFile } from "./modules/source-files.ts";
import { childNode, childNodes, type SyntaxNode, toSyntax } from "./syntax/syntax-tree.ts";

export interface BundlePluginOptions {
  scriptId: string;
  script: AuthorModule;
  generated: GeneratedModules;
  resolver: ImportResolver;
}

/** The plugin that gives Rollup its modules, and what it learnt on the way. */
export interface BundlePlugin {
  plugin: Plugin;
  /** Plugins that edit the modules which `plugin` gave: they come after it. */
  edits: Plugin[];
  /** Problems of the first module that has any; the build ends there. */
  diagnostics: Diagnostic[];
  exports: ModuleExports;
  /** What the script declares of itself, once it has been read. */
  declarations(): ScriptDeclarations | undefined;
  /** The author's modules, the script among them. */
  authored(): Iterable<AuthoredModule>;
  /** The generated modules that were read. */
  generated(): Iterable<SourceFile>;
  /** Prints what is linked already, and constants that modules need, to stand around the modules of a finished program. */
  printOuterLines(moduleIds: readonly string[]): Promise<PlacedLine[]>;
}

export function makeBundlePlugin({ scriptId, script, generated, resolver }: BundlePluginOptions): BundlePlugin {
  const diagnostics: Diagnostic[] = [];
  const exports: ModuleExports = { names: new Map(), stars: new Map() };
  const importsOf = new Map<string, ReadonlyMap<string, string>>();
  const authors = new Map<string, AuthoredModule>();
  const prepared = new Map<string, Promise<PreparedModule>>();
  const importers = new Map<string, string>();
  const linkedTools = makeLinkedTools();
  const { packages } = resolver;
  const defaultNames = makeDefaultNames();
  /** Declarations of what was rewritten for SES. */
  const constants: string[] = [];
  let declarations: ScriptDeclarations | undefined;

  function resolveId(specifier: string, importer: string): string | undefined {
    if (ownerOf(importer) === "bundler") return specifier;
    if (["author", "package"].includes(ownerOf(importer))) return importsOf.get(importer)?.get(specifier);
    return resolver.resolveForGenerated(specifier, importer);
  }

  /** Prepares a module of the author's once: the entry needs to know of the script's default export before Rollup reads the script. */
  async function prepareAuthored(id: string, source: string, parse: Parse): Promise<PreparedModule & { ok: true }> {
    const module = id === scriptId ? { ...script, isScript: true } : { name: toScriptPath(id), source };
    const pending =
      prepared.get(id) ??
      prepareModule(module, parse, {
        resolve: (use) => resolver.resolveForAuthor(use, id),
        findMissingNames: (use) => resolver.findMissingNames(use),
        findUnmentionedNames: (use) => resolver.findUnmentionedNames(use, id),
      });
    prepared.set(id, pending);
    const outcome = await pending;
    if (outcome.ok) return outcome;
    if (diagnostics.length === 0) diagnostics.push(...outcome.diagnostics);
    throw new Error(REFUSED.message);
  }

  function noteModule(id: string, imports: ReadonlyMap<string, string>, program: SyntaxNode | undefined): void {
    importsOf.set(id, imports);
    if (program !== undefined) defaultNames.note(id, program);
    const sources = program === undefined ? [] : findStarSources(program);
    exports.stars.set(
      id,
      sources.flatMap((specifier) => imports.get(specifier) ?? []),
    );
  }

  function hasSideEffects(id: string): boolean {
    if (ownerOf(id) === "package") return packages.hasSideEffects(id);
    return ownerOf(id) === "author" || id === ENTRY_ID;
  }

  const plugin: Plugin = {
    name: "codemode",
    resolveId(specifier, importer) {
      const id = importer === undefined ? specifier : resolveId(specifier, importer);
      if (id === undefined) return this.error({ code: "FORBIDDEN_IMPORT", id: importer ?? "", message: specifier });
      if (ownerOf(id) === "package" && importer !== undefined && !importers.has(id)) importers.set(id, importer);
      return { id, moduleSideEffects: hasSideEffects(id) };
    },
    async load(id) {
      const parse = (code: string): SyntaxNode => toSyntax(this.parse(code));
      if (id === ENTRY_ID) {
        const { program } = await prepareAuthored(scriptId, script.source, parse);
        return printEntry(scriptId, program === undefined || hasDefaultExport(program));
      }
      if (id === scriptId) return script.source;
      const file = resolver.files.get(id) ?? packages.files.get(id);
      if (file !== undefined) return readModuleText(file);
      if (ownerOf(id) === "bundler") return resolver.printed.get(id) ?? null;
      const source = { read: generated.read, resolve: resolver.resolveForGenerated, parse };
      const linked = printRuntimeModule(id) ?? linkedTools.printModule(id, source);
      // Its lines are those of no file.
      if (linked !== undefined) return { code: linked, map: { mappings: "" } };
      return generated.read(id) ?? this.error({ code: "MISSING_MODULE", id, message: id });
    },
    async transform(source, id) {
      const parse = (code: string): SyntaxNode => toSyntax(this.parse(code));
      if (ownerOf(id) === "package") {
        const module = preparePackageModule({ path: packages.pathOf(id), source }, parse, (specifier) =>
          packages.resolve(specifier, id),
        );
        if (module.ok) {
          noteModule(id, module.imports, module.program);
          const effects = packages.hasSideEffects(id) ? { moduleSideEffects: keepWhole(module.program) } : {};
          return { code: module.code, map: null, ...toAst(module.program), ...effects };
        }
        const chains = { importers, authors, packageOf: packages.packageOf };
        if (diagnostics.length === 0) diagnostics.push(await describePackageFailure({ ...module, id }, chains));
        return this.error({ ...REFUSED });
      }
      if (ownerOf(id) !== "author") return null;
      const module = await prepareAuthored(id, source, parse);
      const { code, map, program } = module;
      noteModule(id, module.imports, program);
      authors.set(id, { ...module, name: id === scriptId ? script.name : toScriptPath(id), program });
      declarations ??= module.declarations;
      return {
        code,
        map: map === undefined ? null : { ...map, version: 3 },
        ...toAst(program),
        moduleSideEffects: keepWhole(program),
      };
    },
    moduleParsed(info) {
      exports.names.set(info.id, info.exports ?? []);
    },
    resolveImportMeta: () => "undefined",
    async renderChunk(code) {
      const escaped = await escapeChunk(code);
      if (escaped === undefined) return null;
      constants.push(...escaped.constants);
      return { code: escaped.code, map: escaped.map };
    },
  };

  async function escapeChunk(code: string): Promise<EscapedCode | undefined> {
    try {
      return await escapeSesTokens(code);
    } catch (error) {
      // What the engine refuses too is found, with its place, when the finished program is compiled.
      if (findCompileError(`(async function () {"use strict";${code}\n})`) !== undefined) return undefined;
      diagnostics.push(bundleFailure(String(error)));
      throw error;
    }
  }

  async function printAround(moduleIds: readonly string[]): Promise<PlacedLine[]> {
    const tools = linkedTools.printLinked(moduleIds);
    const needsRuntime = tools.length > 0 || moduleIds.some((id) => linkedNames(id) !== undefined);
    return [...(await printOuterLines(tools, needsRuntime)), ...constants.map((text) => ({ text }))];
  }

  return {
    plugin,
    edits: [defaultNames.plugin, fillEmptyCalls(hasSideEffects), boundTrimming(hasSideEffects)],
    diagnostics,
    exports,
    declarations: () => declarations,
    authored: () => authors.values(),
    generated: () => generated.files.values(),
    printOuterLines: printAround,
  };
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
