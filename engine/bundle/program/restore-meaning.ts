import type { OutputChunk } from "rollup";
import { DEFAULT_NAME, isDefaultName } from "./edit-modules.ts";
import { isTooDeep } from "../syntax/syntax-error.ts";
import {
  type SyntaxNode,
  childNode,
  childNodes,
  nameOf,
  walkSyntax,
  type SyntaxParent,
  loadParser,
} from "../syntax/syntax-tree.ts";
import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { unusedName } from "./escape-ses-tokens.ts";

/** The modules of a program, and the lines that it needs around them. */
export interface RestoredProgram extends Pick<OutputChunk, "code" | "map"> {
  /** Functions that the lines inside call. They stand where no variable of the author's is seen. */
  outerLines: string[];
  /** What runs before the first module, among its variables. */
  innerLines: string[];
}

/**
 * Restores what the bundler changes where several modules become one scope: names of functions and classes, and namespace objects. A
 * program of which it renamed nothing and made no such object is not even parsed.
 */
export async function restoreMeaning({ code, map }: Pick<OutputChunk, "code" | "map">): Promise<RestoredProgram> {
  const hasNamespaces = NAMESPACE_START.test(code);
  const isRenamed = code.includes(DEFAULT_NAME) || (map?.names ?? []).some((name) => code.includes(`${name}$`));
  if (map === null || !(hasNamespaces || isRenamed)) return { code, map, outerLines: [], innerLines: [] };
  const program = await parseProgram(code);
  // What is no JavaScript is found, with its place, when the finished program is compiled.
  if (program === undefined) return { code, map, outerLines: [], innerLines: [] };
  const setter = unusedName(code, "__codemode_name__");
  const maker = unusedName(code, "__codemode_namespace__");
  const segments = placeSegments(code, map.mappings);
  /** True for code between two offsets that comes from a file. */
  const isAuthored = (start: number, end: number): boolean =>
    segments.some(({ offset, segment }) => segment.length > 1 && offset >= start && offset < end);
  const namespaces = printNamespaces(code, program, { maker, isAuthored });
  /** The original name of each identifier that the bundler renamed. */
  const originals = new Map(
    segments.flatMap(({ offset, segment: [, , , , name] }) =>
      name === undefined ? [] : [[offset, map.names[name] as string] as const],
    ),
  );
  const names = keepNames(program, originals, setter, unusedName(code, "__codemode_read_"));
  const edited = editProgram(code, map.mappings, [...namespaces.edits, ...names.edits]);
  const innerLines = [...namespaces.statements, ...names.statements];
  const isUsed = (name: string): boolean =>
    edited.code.includes(name) || innerLines.some((line) => line.includes(name));
  const outerLines = [
    ...(isUsed(setter) ? [`const ${setter} = (named, value) => Object.defineProperty(named, "name", { value });`] : []),
    ...(isUsed(maker) ? `const ${maker} = ${NAMESPACE_MAKER};`.split("\n") : []),
  ];
  return { code: edited.code, map: Object.assign(map, { mappings: edited.mappings }), outerLines, innerLines };
}

async function parseProgram(code: string): Promise<SyntaxNode | undefined> {
  const parse = await loadParser();
  try {
    return parse(code);
  } catch (error) {
    if (isTooDeep(error)) throw error;
    return undefined;
  }
}

/** How the bundler begins the object that it makes for `import * as name`; it indents as the author does. */
const NAMESPACE_START = /\/\*#__PURE__\*\/Object\.freeze\(\{\s*__proto__: null/;

/**
 * A function that makes the namespace object of a module (ECMA-262, 10.4.6) from functions that read its exports. The names are sorted.
 */
const NAMESPACE_MAKER = `(exports) => {
const target = Object.create(null);
for (const name of Object.keys(exports)) Object.defineProperty(target, name, { value: undefined, writable: true, enumerable: true });
Object.defineProperty(target, Symbol.toStringTag, { value: "Module" });
Object.preventExtensions(target);
const names = Reflect.ownKeys(target);
const isExport = (name) => typeof name === "string" && Object.hasOwn(exports, name);
const describe = (_, name) => {
const found = Reflect.getOwnPropertyDescriptor(target, name);
return isExport(name) ? { ...found, value: exports[name]() } : found;
};
return new Proxy(target, {
get: (_, name) => (isExport(name) ? exports[name]() : target[name]),
set: () => false,
getOwnPropertyDescriptor: describe,
defineProperty(_, name, wanted) {
const found = describe(target, name);
if (found === undefined || wanted.get !== undefined || wanted.set !== undefined) return false;
if (wanted.configurable === true || (wanted.enumerable ?? found.enumerable) !== found.enumerable) return false;
if ((wanted.writable ?? found.writable) !== found.writable) return false;
return !("value" in wanted) || Object.is(wanted.value, found.value);
},
ownKeys: () => names,
});
}`;

/**
 * Finds the namespace objects that the bundler made, which are ordinary objects, and prints them again for the start of the program:
 * modules that import each other see them before all have run.
 *
 * @param isAuthored true for code between two offsets that comes from a file
 */
function printNamespaces(
  code: string,
  program: SyntaxNode,
  { maker, isAuthored }: { maker: string; isAuthored: (start: number, end: number) => boolean },
): { edits: ProgramEdit[]; statements: string[] } {
  const edits: ProgramEdit[] = [];
  const statements: string[] = [];
  for (const statement of childNodes(program, "body")) {
    const text = code.slice(statement.start, statement.end);
    if (statement.type !== "VariableDeclaration" || !NAMESPACE_START.test(text)) continue;
    if (isAuthored(statement.start, statement.end)) continue;
    const [declarator] = childNodes(statement, "declarations");
    const init = declarator === undefined ? undefined : childNode(declarator, "init");
    const [object] = init === undefined ? [] : childNodes(init, "arguments");
    if (declarator === undefined || object?.type !== "ObjectExpression") continue;
    const [, ...members] = childNodes(object, "properties");
    const exports = members
      .map((member) => ({ name: printName(childNode(member, "key") as SyntaxNode), value: printValue(code, member) }))
      .toSorted((left, right) => byCodeUnits(left.name, right.name))
      .map(({ name, value }) => `[${JSON.stringify(name)}]: () => ${value}`);
    statements.push(`const ${nameOf(childNode(declarator, "id"))} = ${maker}({ ${exports.join(", ")} });`);
    edits.push({ start: statement.start, end: statement.end, text: text.replace(/[^\n]+/g, "") });
  }
  return { edits, statements };
}

/** The name of an export, from a key that may be a number. */
function printName(key: SyntaxNode): string {
  return nameOf(key) ?? String(key["value"]);
}

/** The expression that reads an export, from `name: expression` or `get name () { return expression; }`. */
function printValue(code: string, member: SyntaxNode): string {
  const value = childNode(member, "value") as SyntaxNode;
  const [returned] = member["kind"] === "get" ? childNodes(childNode(value, "body") as SyntaxNode, "body") : [];
  const { start, end } = (returned === undefined ? undefined : childNode(returned, "argument")) ?? value;
  return code.slice(start, end);
}

/**
 * Finds where a renamed variable shows in the `name` of a function or class. All modules of a bundle share one scope: of two
 * variables with one name the bundler renames one.
 * @param originals the original names of identifiers that were renamed, by offset
 * @param setter the function that sets the `name` of a function and gives it back
 * @param reader what the names of functions begin with that read a hidden variable
 * @returns edits, and statements for the start of the program: functions are there before its first line runs
 */
function keepNames(
  program: SyntaxNode,
  originals: ReadonlyMap<number, string>,
  setter: string,
  reader: string,
): { edits: ProgramEdit[]; statements: string[] } {
  const edits: ProgramEdit[] = [];
  /** Ends of what is wrapped, the innermost first. */
  const ends: ProgramEdit[] = [];
  const statements: string[] = [];
  const shown = new Set<number>();
  const readers = new Map<string, string>();

  const originalOf = (id: SyntaxNode | undefined): string | undefined => {
    if (id?.type !== "Identifier") return undefined;
    const name = nameOf(id) as string;
    if (isDefaultName(name)) return "default";
    const original = originals.get(id.start);
    return original !== undefined && name.startsWith(`${original}$`) ? original : undefined;
  };
  const wrap = ({ start, end }: SyntaxNode, before: string, after: string): void => {
    edits.push({ start, end: start, text: before });
    ends.unshift({ start: end, end, text: after });
  };
  const nameDeclaration = (node: SyntaxNode, original: string, parent: SyntaxParent | undefined): void => {
    const statement = `${setter}(${nameOf(childNode(node, "id"))}, ${JSON.stringify(original)});`;
    if (parent === undefined || parent.node.type === "Program") statements.push(statement);
    else edits.push({ ...startOf(parent), text: ` ${statement} ` });
  };

  walkSyntax(program, (node, parent) => {
    const original = originalOf(childNode(node, "id"));
    if (node.type === "FunctionDeclaration" && original !== undefined) nameDeclaration(node, original, parent);
    if (node.type === "FunctionExpression" && original !== undefined) {
      wrap(node, `(${setter}(`, `, ${JSON.stringify(original)}))`);
    }
    if (node.type === "ClassExpression") {
      const body = childNode(node, "body") as SyntaxNode;
      if (original !== undefined && !hasStaticName(body)) {
        const text = ` static { ${setter}(this, ${JSON.stringify(original)}); }`;
        edits.push({ start: body.start + 1, end: body.start + 1, text });
      }
      edits.push(...showHidden(node));
    }
    const [target, value] = namedValue(node);
    const given = originalOf(target);
    if (value !== undefined && given !== undefined && isAnonymous(value)) {
      const key = JSON.stringify(given);
      // A plain key `__proto__` would be the prototype.
      wrap(value, `{ ${given === "__proto__" ? `[${key}]` : key}: `, ` }[${key}]`);
    }
  });
  return { edits: [...ends, ...edits], statements };

  /** The bundler prints a renamed class as `let Row$1 = class Row {…}`, which hides another module's `Row` in there. */
  function showHidden(node: SyntaxNode): ProgramEdit[] {
    const name = nameOf(childNode(node, "id"));
    const found: ProgramEdit[] = [];
    if (name === undefined) return found;
    walkSyntax(node, ({ type, start, end, name: text }) => {
      if (type !== "Identifier" || text !== name || shown.has(start)) return;
      const original = originals.get(start);
      if (original === undefined || original === name) return;
      shown.add(start);
      let known = readers.get(name);
      if (known === undefined) {
        known = `${reader}${readers.size}`;
        readers.set(name, known);
        statements.push(`const ${known} = () => ${name};`);
      }
      found.push({ start, end, text: `(${known}())` });
    });
    return found;
  }
}

/** A place in the block that a function is declared in, before any of its statements that can see the function. */
function startOf({ node, member }: SyntaxParent): Omit<ProgramEdit, "text"> {
  const statements = childNodes(node, member);
  const first = statements.find((statement) => typeof statement["directive"] !== "string") ?? node;
  return { start: first.start, end: first.start };
}

/** A variable, and the value that takes its name from it if it has none. */
function namedValue(node: SyntaxNode): [target: SyntaxNode | undefined, value: SyntaxNode | undefined] {
  if (node.type === "VariableDeclarator") return [childNode(node, "id"), childNode(node, "init")];
  const isAssignment = node.type === "AssignmentExpression" && /^(&&|\|\||\?\?)?=$/.test(String(node["operator"]));
  const target = childNode(node, "left");
  // A target in parentheses gives no name.
  if (!(isAssignment || node.type === "AssignmentPattern") || target?.start !== node.start)
    return [undefined, undefined];
  return [target, childNode(node, "right")];
}

function isAnonymous(value: SyntaxNode): boolean {
  if (value.type === "ArrowFunctionExpression") return true;
  return ["FunctionExpression", "ClassExpression"].includes(value.type) && childNode(value, "id") === undefined;
}

/** True for a class that may say its name itself. */
function hasStaticName(body: SyntaxNode): boolean {
  return childNodes(body, "body").some(
    (member) =>
      member["static"] === true && (member["computed"] === true || nameOf(childNode(member, "key")) === "name"),
  );
}

/** A piece of a program, and the text that takes its place; the number of lines stays. Offsets in UTF-16 units. */
interface ProgramEdit {
  start: number;
  end: number;
  text: string;
}

/** The segments of a source map, each with its offset in the program. */
function placeSegments(code: string, mappings: string): { offset: number; segment: SourceMapSegment }[] {
  const lines = decode(mappings);
  let lineStart = 0;
  return code.split("\n").flatMap((text, index) => {
    const start = lineStart;
    lineStart += text.length + 1;
    return (lines[index] ?? []).map((segment) => ({ offset: start + segment[0], segment }));
  });
}

/** Edits a program together with the mappings of its source map. The edits do not overlap. */
function editProgram(
  code: string,
  mappings: string,
  edits: readonly ProgramEdit[],
): { code: string; mappings: string } {
  // Of edits at one offset the first one given stands first.
  const sorted = edits.toSorted((left, right) => left.start - right.start || left.end - right.end);
  const lines = decode(mappings);
  const pieces: string[] = [];
  let at = 0;
  let next = 0;
  let lineStart = 0;
  for (const [index, text] of code.split("\n").entries()) {
    const lineEnd = lineStart + text.length;
    const moves: { column: number; by: number }[] = [];
    for (let edit = sorted[next]; edit !== undefined && edit.start <= lineEnd; edit = sorted[next]) {
      pieces.push(code.slice(at, edit.start), edit.text);
      at = edit.end;
      if (edit.end <= lineEnd) {
        moves.push({ column: edit.end - lineStart, by: edit.text.length - (edit.end - edit.start) });
      }
      next += 1;
    }
    if (moves.length > 0) {
      for (const segment of lines[index] ?? []) {
        const before = moves.filter(({ column }) => column <= segment[0]);
        segment[0] += before.reduce((sum, { by }) => sum + by, 0);
      }
    }
    lineStart = lineEnd + 1;
  }
  pieces.push(code.slice(at));
  return { code: pieces.join(""), mappings: encode(lines) };
}
