// `import type`: with inline `type` this would load Rollup as soon as the bundler is imported.
import type { Plugin, ProgramNode, RollupLog } from "rollup";
import type { Diagnostic } from "../../../schemas/answer.ts";
import { prepareModule, readModuleText, type AuthorModule } from "./author-modules.ts";
import { escapeSesTokens } from "./escape-ses-tokens.ts";
import { findInside } from "./find-inside.ts";
import { ENTRY_ID, ownerOf, toOwnedPath, toScriptPath } from "./module-ids.ts";
import { runtimeFolder, type ImportResolver } from "./resolve-imports.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

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
  /** Exports of each module, by id. */
  exports: Map<string, readonly string[]>;
}

export function makeBundlePlugin({ scriptId, script, generatedFolder, resolver }: BundlePluginOptions): BundlePlugin {
  const diagnostics: Diagnostic[] = [];
  const exports = new Map<string, readonly string[]>();
  const importsOf = new Map<string, ReadonlyMap<string, string>>();

  function resolveId(specifier: string, importer: string): string | undefined {
    if (ownerOf(importer) === "bundler") return specifier;
    if (ownerOf(importer) === "author") return importsOf.get(importer)?.get(specifier);
    return resolver.resolveForGenerated(specifier, importer);
  }

  function readOwnedFile(id: string): string | null {
    const folder = ownerOf(id) === "server" ? generatedFolder : runtimeFolder();
    const found = findInside(folder, toOwnedPath(id));
    return found.ok ? readModuleText(found.file) : null;
  }

  const plugin: Plugin = {
    name: "codemode",
    resolveId(specifier, importer) {
      const id = importer === undefined ? specifier : resolveId(specifier, importer);
      if (id === undefined) return this.error({ code: "FORBIDDEN_IMPORT", id: importer ?? "", message: specifier });
      return { id, moduleSideEffects: ownerOf(id) === "author" || id === ENTRY_ID };
    },
    async load(id) {
      if (id === ENTRY_ID) {
        const { hasDefaultExport } = await this.load({ id: scriptId });
        return printEntry(scriptId, hasDefaultExport === true);
      }
      if (id === scriptId) return script.source;
      const file = resolver.files.get(id);
      if (file !== undefined) return readModuleText(file);
      if (ownerOf(id) === "bundler") return resolver.printed.get(id) ?? null;
      return readOwnedFile(id) ?? this.error({ code: "MISSING_MODULE", id, message: id });
    },
    async transform(source, id) {
      if (ownerOf(id) !== "author") return null;
      const module = id === scriptId ? script : { name: toScriptPath(id), source };
      const parse = (code: string): SyntaxNode => this.parse(code) as unknown as SyntaxNode;
      const prepared = await prepareModule(module, parse, {
        resolve: (use) => resolver.resolveForAuthor(use, id),
        findMissingNames: (use) => resolver.findMissingNames(use),
      });
      if (!prepared.ok) {
        if (diagnostics.length === 0) diagnostics.push(...prepared.diagnostics);
        return this.error({ code: "REFUSED", id, message: "The module has problems." } satisfies RollupLog);
      }
      importsOf.set(id, prepared.imports);
      const map = prepared.map === undefined ? null : { ...prepared.map, version: 3 };
      const ast = prepared.program === undefined ? {} : { ast: prepared.program as unknown as ProgramNode };
      return { code: prepared.code, map, ...ast };
    },
    moduleParsed(info) {
      exports.set(info.id, info.exports ?? []);
    },
    resolveImportMeta: () => "undefined",
    async renderChunk(code) {
      const escaped = await escapeSesTokens(code);
      return escaped === undefined ? null : { code: escaped.code, map: escaped.map };
    },
  };
  return { plugin, diagnostics, exports };
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
