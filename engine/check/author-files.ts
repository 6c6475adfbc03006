import { posix } from "node:path";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { toModulePath } from "../bundle/modules/module-ids.ts";
import { findScriptModule } from "../bundle/imports/find-script-module.ts";
import { ts } from "./typescript.ts";
import { readModuleText } from "../bundle/modules/source-files.ts";
import { nodesIn } from "./type-questions.ts";

/** Where the script and the modules beside it stand among the virtual files. */
const SCRIPT_FOLDER = "/script/";

/** One file that the author wrote. */
export interface AuthorFile {
  /** Shown in diagnostics. */
  name: string;
  text: string;
  words: ModuleWords;
  /** The virtual paths of the modules that its relative specifiers mean. */
  imports: ReadonlyMap<string, string>;
}

/** Reads the script and everything beside it that it reaches, by virtual path; the script is the first. */
export function readAuthorFiles(script: ScriptSource): Map<string, AuthorFile> {
  const files = new Map<string, AuthorFile>();
  const waiting = [{ path: toModulePath(script.name), name: script.name, read: () => script.code }];
  for (const { path, name, read } of waiting) {
    const virtualPath = toVirtualPath(path);
    if (files.has(virtualPath)) continue;
    // An ordinary comment of the same length: places stay where they are.
    const source = read().replace(/^#!/, "//");
    const text = files.size === 0 ? throwAtTopLevel(virtualPath, source) : source;
    const words = findModuleWords(virtualPath, text);
    const imports = new Map<string, string>();
    for (const specifier of words.specifiers) {
      if (!/^\.{1,2}(\/|$)/.test(specifier)) continue;
      const found = findScriptModule(script.folder, path, specifier);
      if (!found.ok) continue;
      imports.set(specifier, toVirtualPath(found.relativePath));
      waiting.push({ path: found.relativePath, name: found.relativePath, read: () => readModuleText(found.file) });
    }
    files.set(virtualPath, { name, text, words, imports });
  }
  return files;
}

/**
 * The script with `throw` in place of each `return` at its top level, which the compiler does not look into; both end the script, and are as long.
 * The bundler makes a function of such a script.
 */
function throwAtTopLevel(path: string, text: string): string {
  if (!/\breturn\b/.test(text)) return text;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  return nodesIn(file)
    .filter((node) => ts.isReturnStatement(node) && node.expression !== undefined)
    .filter((node) => ts.findAncestor(node, ts.isFunctionLike) === undefined)
    .reduce((changed, node) => {
      const start = node.getStart(file);
      return `${changed.slice(0, start)}throw ${changed.slice(start + "return".length)}`;
    }, text);
}

/** The bundler takes every ending that is not JavaScript's for TypeScript. */
function toVirtualPath(path: string): string {
  const isKnown = [".ts", ".mts", ".js", ".mjs", ".json"].includes(posix.extname(path)) && !path.endsWith(".d.ts");
  return SCRIPT_FOLDER + (isKnown ? path : `${path}.ts`);
}

/** What a module says of its imports, from its syntax alone. */
export interface ModuleWords {
  specifiers: ReadonlySet<string>;
  /** All identifiers and strings, a superset of the names that the module uses. */
  words: ReadonlySet<string>;
  /** True where a namespace is used in a way that may reach any of its exports. */
  usesNamespaces: boolean;
}

/** Reads the specifiers and words of a module. */
function findModuleWords(path: string, text: string): ModuleWords {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const specifiers = new Set<string>();
  const words = new Set<string>();
  const namespaces = new Set<string>();
  let hasDynamicImport = false;
  let hasComputedAccess = false;
  let usesNamespaces = false;

  const nodes = nodesIn(file);
  for (const node of nodes) {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) words.add(node.text);
    const specifier = specifierOf(node);
    if (specifier !== undefined) specifiers.add(specifier);
    if (ts.isNamespaceImport(node)) namespaces.add(node.name.text);
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && !hasNames(node)) usesNamespaces = true;
    if (node.kind === ts.SyntaxKind.ImportKeyword && ts.isCallExpression(node.parent)) hasDynamicImport = true;
    if (ts.isElementAccessExpression(node) && !ts.isStringLiteralLike(node.argumentExpression))
      hasComputedAccess = true;
  }
  usesNamespaces ||= nodes.some((node) => ts.isIdentifier(node) && namespaces.has(node.text) && isUsedWhole(node));
  return { specifiers, words, usesNamespaces: usesNamespaces || (hasDynamicImport && hasComputedAccess) };
}

function specifierOf(node: ts.Node): string | undefined {
  const expression = specifierNode(node);
  return expression !== undefined && ts.isStringLiteralLike(expression) ? expression.text : undefined;
}

function specifierNode(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isImportCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImportCall ? node.arguments[0] : undefined;
}

function hasNames({ exportClause }: ts.ExportDeclaration): boolean {
  return exportClause !== undefined && ts.isNamedExports(exportClause);
}

function isUsedWhole(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isNamespaceImport(parent)) return false;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return false;
  return !(ts.isElementAccessExpression(parent) && ts.isStringLiteralLike(parent.argumentExpression));
}
