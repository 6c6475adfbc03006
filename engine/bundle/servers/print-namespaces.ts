import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { ProgramEdit } from "../program/edit-program.ts";
import { childNode, childNodes, nameOf, type SyntaxNode } from "../syntax/syntax-tree.ts";

/** How the bundler begins the object that it makes for `import * as name`; it indents as the author does. */
export const NAMESPACE_START = /\/\*#__PURE__\*\/Object\.freeze\(\{\s*__proto__: null/;

/**
 * A function that makes the namespace object of a module (ECMA-262, 10.4.6) from functions that read its exports. The names are sorted.
 */
export const NAMESPACE_MAKER = `(exports) => {
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
export function printNamespaces(
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
