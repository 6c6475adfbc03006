// `import type`: with inline `type` this would load Rollup as soon as the bundler is imported.
import type { Plugin, ProgramNode, RollupLog } from "rollup";
import type { Diagnostic } from "../../../schemas/answer.ts";
import { prepareModule, readModuleText, type AuthorModule } from "./author-modules.ts";
import type { AuthoredModule } from "./compile-program.ts";
import { escapeLines, escapeSesTokens } from "./escape-ses-tokens.ts";
import { findStarSources, type ModuleExports } from "./exported-names.ts";
import { findInside } from "./find-inside.ts";
import { describePackageFailure } from "./packages/package-failure.ts";
import { preparePackageModule } from "./packages/prepare-package-module.ts";
import { linkedNames, printLinkedRuntime, printRuntimeModule } from "./linked-runtime.ts";
import { makeLinkedTools } from "./linked-tools.ts";
import type { PlacedLine } from "./map-placed-lines.ts";
import { ENTRY_ID, ownerOf, toOwnedPath, toScriptPath } from "./module-ids.ts";
import { runtimeFolder, type ImportResolver } from "./resolve-imports.ts";
import type { ScriptDeclarations } from "./script-declarations.ts";
import { childNode, childNodes, type SyntaxNode } from "./syntax-tree.ts";

export interface BundlePluginOptions {
  scriptId: string;
  script: AuthorModule;
  generatedFolder: string;
  resolver: ImportResolver;
}

/** The plugin that gives Rollup its modules, and what it learnt on the way. */
export interface BundlePlugin {
  plugin: Plugin;
  /** Problems of the first module that has any; the build ends there. */
  diagnostics: Diagnostic[];
  exports: ModuleExports;
  /** What the script declares of itself, once it has been read. */
  declarations(): ScriptDeclarations | undefined;
  /** The author's modules, the script among them. */
  authored(): Iterable<AuthoredModule>;
  /** Prints what is linked already, and constants that modules need, to stand around the modules of a finished program. */
  printOuterLines(moduleIds: readonly string[]): Promise<PlacedLine[]>;
}

export function makeBundlePlugin({ scriptId, script, generatedFolder, resolver }: BundlePluginOptions): BundlePlugin {
  const diagnostics: Diagnostic[] = [];
  const exports: ModuleExports = { names: new Map(), stars: new Map() };
  const importsOf = new Map<string, ReadonlyMap<string, string>>();
  const authors = new Map<string, AuthoredModule>();
  const importers = new Map<string, string>();
  const linkedTools = makeLinkedTools();
  const { packages } = resolver;
  /** Declarations of what was rewritten for SES. */
  const constants: string[] = [];
  let declarations: ScriptDeclarations | undefined;

  function resolveId(specifier: string, importer: string): string | undefined {
    if (ownerOf(importer) === "bundler") return specifier;
    if (["author", "package"].includes(ownerOf(importer))) return importsOf.get(importer)?.get(specifier);
    return resolver.resolveForGenerated(specifier, importer);
  }

  function readOwnedFile(id: string): string | null {
    const folder = ownerOf(id) === "server" ? generatedFolder : runtimeFolder();
    const found = findInside(folder, toOwnedPath(id));
    return found.ok ? readModuleText(found.file) : null;
  }

  function noteImports(id: string, imports: ReadonlyMap<string, string>, program: SyntaxNode | undefined): void {
    importsOf.set(id, imports);
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
      if (id === ENTRY_ID) {
        const { hasDefaultExport } = await this.load({ id: scriptId });
        return printEntry(scriptId, hasDefaultExport === true);
      }
      if (id === scriptId) return script.source;
      const file = resolver.files.get(id) ?? packages.files.get(id);
      if (file !== undefined) return readModuleText(file);
      if (ownerOf(id) === "bundler") return resolver.printed.get(id) ?? null;
      const parse = (code: string): SyntaxNode => this.parse(code) as unknown as SyntaxNode;
      const generated = { read: readOwnedFile, resolve: resolver.resolveForGenerated, parse };
      const linked = printRuntimeModule(id) ?? linkedTools.printModule(id, generated);
      // Its lines are those of no file.
      if (linked !== undefined) return { code: linked, map: { mappings: "" } };
      return readOwnedFile(id) ?? this.error({ code: "MISSING_MODULE", id, message: id });
    },
    async transform(source, id) {
      const parse = (code: string): SyntaxNode => this.parse(code) as unknown as SyntaxNode;
      if (ownerOf(id) === "package") {
        const module = preparePackageModule({ path: packages.pathOf(id), source }, parse, (specifier) =>
          packages.resolve(specifier, id),
        );
        if (module.ok) {
          noteImports(id, module.imports, module.program);
          const effects = packages.hasSideEffects(id) ? { moduleSideEffects: keepWhole(module.program) } : {};
          return { code: module.code, map: null, ...toAst(module.program), ...effects };
        }
        const chains = { importers, authors, packageOf: packages.packageOf };
        if (diagnostics.length === 0) diagnostics.push(await describePackageFailure({ ...module, id }, chains));
        return this.error({ ...REFUSED });
      }
      if (ownerOf(id) !== "author") return null;
      const module = id === scriptId ? { ...script, isScript: true } : { name: toScriptPath(id), source };
      const prepared = await prepareModule(module, parse, {
        resolve: (use) => resolver.resolveForAuthor(use, id),
        findMissingNames: (use) => resolver.findMissingNames(use),
      });
      if (!prepared.ok) {
        if (diagnostics.length === 0) diagnostics.push(...prepared.diagnostics);
        return this.error({ ...REFUSED });
      }
      const { code, imports, places } = prepared;
      noteImports(id, imports, prepared.program);
      authors.set(id, { name: module.name, code, map: prepared.map, places, program: prepared.program });
      declarations ??= prepared.declarations;
      const map = prepared.map === undefined ? null : { ...prepared.map, version: 3 };
      return { code, map, ...toAst(prepared.program), moduleSideEffects: keepWhole(prepared.program) };
    },
    moduleParsed(info) {
      exports.names.set(info.id, info.exports ?? []);
    },
    resolveImportMeta: () => "undefined",
    async renderChunk(code) {
      const escaped = await escapeSesTokens(code);
      if (escaped === undefined) return null;
      constants.push(...escaped.constants);
      return { code: escaped.code, map: escaped.map };
    },
  };

  async function printOuterLines(moduleIds: readonly string[]): Promise<PlacedLine[]> {
    const tools = linkedTools.printLinked(moduleIds);
    const needsRuntime = tools.length > 0 || moduleIds.some((id) => linkedNames(id) !== undefined);
    const linked = needsRuntime ? [{ text: printLinkedRuntime() }, ...(await escapeLines(tools))] : [];
    return [...linked, ...constants.map((text) => ({ text }))];
  }

  return {
    plugin,
    diagnostics,
    exports,
    declarations: () => declarations,
    authored: () => authors.values(),
    printOuterLines,
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

function toAst(program: SyntaxNode | undefined): { ast?: ProgramNode } {
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
