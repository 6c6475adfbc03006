import { childNode, childNodes, nameOf, removeSpans, type SyntaxNode } from "../syntax/syntax-tree.ts";

/** A generated module, taken apart so that it can be put into a function. */
export interface GeneratedModule {
  /** What it imports, in its order; names are the same on both sides. */
  imports: readonly { specifier: string; names: readonly string[] }[];
  /** All of its code but its imports, without the word `export`: line by line where it was. */
  lines: readonly string[];
  /** The names that it exports. */
  exports: readonly string[];
}

/** Texts of some thousand tools; above it all are forgotten. */
const MAX_HELD_CHARACTERS = 8 * 1024 * 1024;

const known = new Map<string, GeneratedModule | undefined>();
let heldCharacters = 0;

/**
 * Takes apart a module of the form that tools are generated in: imports by name come first, and declarations are exported where they
 * stand. Undefined for any other. The same text is parsed once, however many scripts use it.
 */
export function parseGeneratedModule(text: string, parse: (code: string) => SyntaxNode): GeneratedModule | undefined {
  if (known.has(text)) return known.get(text);
  if (heldCharacters > MAX_HELD_CHARACTERS) {
    known.clear();
    heldCharacters = 0;
  }
  const module = takeApart(text, parse);
  known.set(text, module);
  heldCharacters += text.length;
  return module;
}

function takeApart(text: string, parse: (code: string) => SyntaxNode): GeneratedModule | undefined {
  // Outside of functions, only a module may have it.
  if (/\bawait\b/.test(text)) return undefined;
  let program: SyntaxNode;
  try {
    program = parse(text);
  } catch {
    return undefined;
  }
  const statements = childNodes(program, "body");
  const firstOther = statements.findIndex(({ type }) => type !== "ImportDeclaration");
  const imports = statements.slice(0, firstOther).map(toImport);
  const rest = statements.slice(firstOther);
  const exported = rest.filter(({ type }) => /^(Import|Export)/.test(type)).map(toExport);
  if (firstOther === -1 || imports.includes(undefined) || exported.includes(undefined)) return undefined;
  const found = exported.filter((one) => one !== undefined);
  const cuts = [
    ...statements.slice(0, firstOther),
    ...found.map(({ start, declaration }) => ({ start, end: declaration.start })),
  ];
  return {
    imports: imports.filter((one) => one !== undefined),
    lines: removeSpans(text, cuts).trimEnd().split("\n"),
    exports: found.map(({ name }) => name),
  };
}

/** `import { a, b } from "specifier"`. */
function toImport(node: SyntaxNode): GeneratedModule["imports"][number] | undefined {
  const specifier = childNode(node, "source")?.["value"];
  const taken = childNodes(node, "specifiers").map((one) => {
    const local = nameOf(childNode(one, "local"));
    return one.type === "ImportSpecifier" && nameOf(childNode(one, "imported")) === local ? local : undefined;
  });
  const names = taken.filter((name) => name !== undefined);
  if (typeof specifier !== "string" || names.length === 0 || names.length < taken.length) return undefined;
  return { specifier, names };
}

/** `export const a = …`, `export function a() {…}`. */
function toExport(node: SyntaxNode): { start: number; declaration: SyntaxNode; name: string } | undefined {
  const declaration = node.type === "ExportNamedDeclaration" ? childNode(node, "declaration") : undefined;
  if (declaration === undefined) return undefined;
  const [first, ...others] = childNodes(declaration, "declarations");
  const id = childNode(declaration.type === "FunctionDeclaration" ? declaration : (first ?? declaration), "id");
  if (id?.type !== "Identifier" || others.length > 0) return undefined;
  return { start: node.start, declaration, name: nameOf(id) as string };
}
