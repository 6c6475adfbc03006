import { FREEZE, linkedNames, printLinkedRuntime, printTaken } from "../program/linked-runtime.ts";
import { RUNTIME } from "../../../schemas/run/bundle.ts";
import { escapeLines } from "../program/escape-ses-tokens.ts";
import type { PlacedLine } from "../program/wrap-program.ts";
import { moduleOwner, resolveForGenerated, toOwnedPath, toPublicName, runtimeFolder } from "../modules/module-ids.ts";
import { type SyntaxNode, childNode, childNodes, nameOf, removeSpans, type Parse } from "../syntax/syntax-tree.ts";
import { NotUtf8 } from "../../../runtime/files/decode-text.ts";
import { quote } from "../modules/import-problem.ts";
import {
  describeUnreadable,
  type SourceFile,
  findInside,
  type ReadSource,
  readSource,
} from "../modules/source-files.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { toMeta } from "./load-server-package.ts";
import { isPrinted, printModuleAt } from "./printed-package.ts";
import { serverIdOf } from "../../../schemas/lock/operations.ts";

/**
 * What linked tools are called in a bundle, an object of namespaces. It stands outside of the modules; where they take something from it,
 * Rollup takes it for a global, and gives no variable of a script that name.
 */
export const TOOLS = "__codemode_tools__";

/** Where generated modules come from. */
export interface GeneratedSource {
  /** The text of a module; null where there is none. */
  read(id: string): string | null;
  parse: Parse;
}

/** The exports of a linked module, and the expression that has them as members. */
export interface LinkedNamespace {
  names: readonly string[];
  expression: string;
}

/** A module as an expression, with all of its imports: a tool has a validator of its own. */
interface LinkedModule {
  lines: PlacedLine[];
  exports: readonly string[];
}

export type LinkedTools = ReturnType<typeof makeLinkedTools>;

/** Tools of one bundle that need not be bound and shaken statement by statement: nothing in them is ever left out. */
export function makeLinkedTools(source: GeneratedSource) {
  const linked = new Map<string, LinkedModule>();

  /** Links a module; undefined for modules that cannot be linked. */
  function link(id: string): LinkedNamespace | undefined {
    const module = linked.get(id) ?? (moduleOwner(id) === "server" ? linkModule(id, source) : undefined);
    if (module === undefined) return undefined;
    linked.set(id, module);
    return { names: module.exports, expression: `${TOOLS}[${JSON.stringify(toOwnedPath(id))}]` };
  }

  return {
    link,
    /** Prints a module that takes its exports from the linked one; undefined for modules that cannot be linked. */
    printModule(id: string): string | undefined {
      const namespace = link(id);
      return namespace && printTaken(namespace.names, namespace.expression);
    },
    /** Prints the linked modules among these, to stand outside of the others; no lines where there are none. */
    printLinked(moduleIds: readonly string[]): PlacedLine[] {
      const entries = moduleIds.flatMap((id) => {
        const module = linked.get(id);
        return module === undefined ? [] : [{ text: `${JSON.stringify(toOwnedPath(id))}:` }, ...module.lines, COMMA];
      });
      return entries.length === 0 ? [] : [{ text: `const ${TOOLS} = {` }, ...entries, { text: "};" }];
    },
  };
}

/** Prints what is linked, to stand outside of the modules that take something from it: the runtime, and the lines of tools. */
export async function printOuterLines(tools: PlacedLine[], needsRuntime: boolean): Promise<PlacedLine[]> {
  return needsRuntime ? [{ text: printLinkedRuntime() }, ...(await escapeLines(tools))] : [];
}

const COMMA: PlacedLine = { text: "," };

function linkModule(id: string, source: GeneratedSource, importers: readonly string[] = []): LinkedModule | undefined {
  const text = importers.includes(id) ? null : readOrLeave(source, id);
  const module = text === null ? undefined : parseGeneratedModule(text, source.parse);
  if (module === undefined) return undefined;
  const taken: PlacedLine[] = [];
  for (const { specifier, names } of module.imports) {
    const target = resolveForGenerated(specifier, id);
    const from = target === undefined ? undefined : linkImport(target, source, [...importers, id]);
    if (from === undefined || !names.every((name) => from.exports.includes(name))) return undefined;
    taken.push(...from.lines, COMMA);
  }
  const name = toPublicName(id);
  const own = module.lines.map((line, index) => ({ text: line, place: { source: name, line: index } }));
  // What is imported stands outside of the module's function: there its names hide none.
  const parameters = module.imports.map(({ names }) => `{ ${names.join(", ")} }`).join(", ");
  // Scripts hold what the outermost module exports; the validators in it write to themselves.
  const [before, after] = importers.length === 0 && !id.endsWith(".validator.js") ? [`${FREEZE}(`, ")"] : ["", ""];
  const start = { text: `${before}((${parameters}) => {` };
  const end = [{ text: `return { ${module.exports.join(", ")} };` }, { text: "})(" }, ...taken, { text: `)${after}` }];
  return { lines: [start, ...own, ...end], exports: module.exports };
}

/** What cannot be read is left to the bundler, which says so. */
function readOrLeave(source: GeneratedSource, id: string): string | null {
  try {
    return source.read(id);
  } catch (error) {
    if (error instanceof UnreadableModule) return null;
    throw error;
  }
}

function linkImport(id: string, source: GeneratedSource, importers: readonly string[]): LinkedModule | undefined {
  if (moduleOwner(id) === "server") return linkModule(id, source, importers);
  const runtime = linkedNames(id);
  return runtime === undefined
    ? undefined
    : { lines: [{ text: `${RUNTIME}.${runtime.name}` }], exports: runtime.names };
}

/** A generated module, taken apart so that it can be put into a function. */
interface GeneratedModule {
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

/** The same text is parsed once, however many scripts use it. */
function parseGeneratedModule(text: string, parse: Parse): GeneratedModule | undefined {
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

/**
 * Takes apart a module of the form that tools are generated in: imports by name come first, and declarations are exported where they
 * stand. Undefined for any other.
 */
function takeApart(text: string, parse: Parse): GeneratedModule | undefined {
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

/** A generated module that is there and cannot be read. */
export class UnreadableModule extends Error {
  override readonly name = "UnreadableModule";

  /** @param path below the folder of the packages */
  constructor(path: string, problem: string) {
    super(`The generated file ${quote(path)} cannot be read: ${problem}.`);
  }
}

function readModule(file: string, path: string): ReadSource {
  try {
    return readSource(file);
  } catch (error) {
    // That is damage, which its reader says.
    if (error instanceof NotUtf8) throw error;
    throw new UnreadableModule(path, describeUnreadable(error));
  }
}

export type GeneratedModules = ReturnType<typeof readGenerated>;

/** Reads generated modules and those of the runtime, and remembers which. A server whose package lies elsewhere is read there. */
export function readGenerated(generatedFolder: string, lockfile: Lockfile) {
  const { servers } = lockfile;
  const files = new Map<string, SourceFile>();
  return {
    files,
    /** The text of a module; null where there is none. Throws `UnreadableModule`. */
    read(id: string): string | null {
      const path = toOwnedPath(id);
      const server = moduleOwner(id) === "server" ? servers.get(serverIdOf(path)) : undefined;
      if (server !== undefined && isPrinted(generatedFolder, server)) return printModuleAt(path, lockfile, toMeta);
      const packages = server?.packageFolder ?? generatedFolder;
      const found = findInside(moduleOwner(id) === "server" ? packages : runtimeFolder(), path);
      if (!found.ok) {
        if (found.reason === "unreadable") throw new UnreadableModule(path, found.problem);
        return null;
      }
      const { text, source } = readModule(found.file, path);
      files.set(found.file, source);
      return text;
    },
  };
}
