import { ts } from "../typescript.ts";
import { declaredProperties, elementType, isOptional, literalValues, toolNameOf } from "../type-questions.ts";

/** What a hint can be made of. */
export interface HintContext {
  file: ts.SourceFile;
  checker: ts.TypeChecker;
  /** The innermost node that the error covers. */
  node: ts.Node;
  /** The names of all locked tools, by server id. */
  exportNames: ReadonlyMap<string, readonly string[]>;
}

const MAX_SNIPPET = 60;

/** The source of a node where that is short, `value` otherwise. */
export function snippetOf(node: ts.Node, { file }: Pick<HintContext, "file">): string {
  const text = node.getText(file);
  return text.length <= MAX_SNIPPET && !text.includes("\n") ? text : "value";
}

/** The source of an expression in a form that a member can be read of. */
export function operandOf(node: ts.Expression, context: Pick<HintContext, "file">): string {
  const isSimple =
    ts.isIdentifier(node) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node);
  const text = snippetOf(node, context);
  return isSimple || text === "value" ? text : `(${text})`;
}

const MAX_MEMBERS = 8;
const MAX_VALUES = 12;
const MAX_NAME = 60;

/** A longer text says less, so that it gets shallower instead. */
const MAX_LENGTH = 320;

/** A type as an author would write it out: members instead of a name, two levels deep, without index signatures. */
export function describeType(type: ts.Type, checker: ts.TypeChecker, depth = 2): string {
  const text = printType(type, checker, depth);
  return text.length > MAX_LENGTH && depth > 0 ? describeType(type, checker, depth - 1) : text;
}

function printType(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const values = literalValues(type);
  if (values !== undefined) return listValues(values, " | ");
  const element = elementType(type, checker);
  if (element !== undefined && checker.isArrayType(type)) {
    const text = printType(element, checker, depth);
    return / \| /.test(text) && !text.startsWith("{") ? `(${text})[]` : `${text}[]`;
  }
  if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) {
    const parts = new Set(type.types.map((part) => printType(part, checker, depth)));
    if (!parts.has("true") || !parts.has("false")) return [...parts].join(" | ");
    return [...[...parts].filter((part) => part !== "true" && part !== "false"), "boolean"].join(" | ");
  }
  return isPlainObject(type, checker) && depth > 0
    ? describeMembers(type, checker, depth)
    : short(checker.typeToString(type));
}

/** `name: type` of a property, with a question mark where it is optional. */
export function describeProperty(symbol: ts.Symbol, checker: ts.TypeChecker, depth = 1): string {
  const type = checker.getTypeOfSymbol(symbol);
  const shown = isOptional(symbol) ? checker.getNonNullableType(type) : type;
  return `${propertyName(symbol.name)}${isOptional(symbol) ? "?" : ""}: ${describeType(shown, checker, depth)}`;
}

/** Values as they are written in code. */
export function listValues(values: readonly (string | number)[], separator = ", "): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MAX_VALUES ? ["…"] : [])].join(separator);
}

/** True for records with named members, as opposed to functions, arrays and built-in classes. */
export function isPlainObject(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
  if (checker.isArrayLikeType(type) || type.getCallSignatures().length > 0) return false;
  const declared = type.getSymbol()?.declarations ?? [];
  return declared.every((declaration) => !declaration.getSourceFile().fileName.startsWith("/lib/"));
}

function describeMembers(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const properties = [...declaredProperties(type, checker).values()];
  const ordered = properties.toSorted((left, right) => Number(isOptional(left)) - Number(isOptional(right)));
  const shown = ordered.slice(0, MAX_MEMBERS).map((symbol) => describeProperty(symbol, checker, depth - 1));
  if (ordered.length > MAX_MEMBERS) shown.push("…");
  return shown.length === 0 ? "{}" : `{ ${shown.join("; ")} }`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(short(name));
}

function short(text: string): string {
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text;
}

/** A value of which nothing is known: most often what a tool without an output schema returned. */
export function hintForUnknown(context: HintContext): string {
  return hintForUnknownValue(context.node, context);
}

export function hintForUnknownValue(node: ts.Node, context: HintContext): string {
  const text = snippetOf(node, context);
  const toolName = toolBehind(node, context);
  if (toolName === undefined) {
    return `Check it first (\`typeof ${text} === "string"\`, \`Array.isArray(${text})\`), or assert its type: \`${text} as { name: string }\`.`;
  }
  return (
    `What \`${toolName}\` returns is not known: a single text arrives as a string, anything else as the whole MCP result. ` +
    `Use it as text with \`String(${text})\`, parse it as JSON with \`JSON.parse(String(${text}))\`, or assert its type: \`${text} as { … }\`.`
  );
}

/** The tool whose awaited answer a value is. */
function toolBehind(node: ts.Node, { checker }: HintContext): string | undefined {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node))
    return toolBehind(node.expression, { checker } as HintContext);
  if (ts.isCallExpression(node)) return toolNameOf(node, checker);
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  const { initializer } = declaration;
  return initializer === undefined || ts.isIdentifier(initializer)
    ? undefined
    : toolBehind(initializer, { checker } as HintContext);
}

/** A value that may be `null` or `undefined` where one is needed. */
export function hintForNullish(context: HintContext): string {
  const { node } = context;
  const text = snippetOf(node, context);
  const { parent } = node;
  const operand = ts.isExpression(node) ? operandOf(node, context) : text;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    return `Write \`${operand}?.${parent.name.text}\`, or check first: \`if (${text} != null) { … }\`.`;
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === node) {
    return `Write \`${operand}?.[${snippetOf(parent.argumentExpression, context)}]\`, or check first: \`if (${text} != null) { … }\`.`;
  }
  return `Check first: \`if (${text} != null) { … }\`, or give a default: \`${text} ?? …\`.`;
}

/** What stands in for a missing value of a type, in code. */
export function defaultFor(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.flags & ts.TypeFlags.StringLike && !type.isUnion()) return '""';
  if (type.flags & ts.TypeFlags.NumberLike && !type.isUnion()) return "0";
  if (type.flags & ts.TypeFlags.BooleanLike) return "false";
  if (elementType(type, checker) !== undefined) return "[]";
  return describeType(type, checker, 0).split(" | ")[0] ?? "…";
}
