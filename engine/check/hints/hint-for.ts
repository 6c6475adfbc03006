import { NAME_CODES, literalKeyOf } from "../error-codes.ts";
import { ts } from "../typescript.ts";
import {
  type HintContext,
  operandOf,
  snippetOf,
  describeType,
  listValues,
  hintForUnknown,
  hintForNullish,
  hintForUnknownValue,
} from "./hint-context.ts";
import { hintForMismatch, hintForCall } from "./hint-for-mismatch.ts";
import { hintForProperty } from "./hint-for-property.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import { hintForUndeclared } from "../../bundle/imports/describe-undeclared.ts";
import { declaredProperties, isPromise, elementType, isUnknown, literalValues } from "../type-questions.ts";

type Hinter = (context: HintContext) => string | undefined;

/** Who knows what to do about which of TypeScript's errors. */
const HINTERS = new Map<number, Hinter>(
  (
    [
      [
        hintForMismatch,
        [2322, 2345, 2353, 2326, 2328, 2375, 2379, 2559, 2560, 2561, 2739, 2740, 2741, 2769, 2820, 2352],
      ],
      [hintForCall, [2554, 2555, 2556, 2575, 2349, 2721, 2722, 2723]],
      [hintForName, NAME_CODES],
      [hintForImport, [2305, 2307, 2614, 2724]],
      [hintForProperty, [2339, 2550, 2551, 2568, 2570, 2576]],
      [hintForUnknown, [2571, 18046]],
      [hintForNullish, [2531, 2532, 2533, 18047, 18048, 18049, 18050]],
      [hintForOperation, [2362, 2363, 2365, 2356, 2367, 2461, 2488, 2495, 2504, 2548, 2549, 2698, 2801]],
      [hintForIndex, [2493, 2536, 2538, 7015, 7017, 7052, 7053]],
      [
        () => "Give it a type, such as `(item: { name: string }) => …`, or `any`.",
        [7005, 7006, 7008, 7018, 7019, 7031, 7034],
      ],
      [() => "Declare it with `let` instead of `const`.", [2588]],
      [() => "Give it a value where it is declared, or in every branch before.", [2454, 2564]],
      [() => "Copy it first, with `{ ...value }` or `[...values]`, and change the copy.", [2540, 2542]],
    ] as const
  ).flatMap(([hinter, codes]) => codes.map((code) => [code, hinter] as const)),
);

/** One action that fixes a type error, for an agent without declarations and editor. */
export function hintFor(code: number, context: HintContext): string {
  return HINTERS.get(code)?.(context) ?? hintForAnything(context);
}

function hintForAnything({ node, checker }: HintContext): string {
  const general = "Change the expression so that the types agree.";
  if (!ts.isExpression(node)) return general;
  return `${general} The type of \`${node.getText().slice(0, 40)}\` is \`${describeType(checker.getTypeAtLocation(node), checker)}\`.`;
}

/** A type that a module does not export, or a module of types that cannot be had; values are the bundler's business. */
function hintForImport({ node, checker }: HintContext): string {
  const declaration = ts.findAncestor(node, ts.isImportDeclaration);
  const module = declaration === undefined ? undefined : checker.getSymbolAtLocation(declaration.moduleSpecifier);
  if (module === undefined)
    return "Declare the type in the script: only @codemode/* modules and relative files can be imported.";
  const names = checker.getExportsOfModule(module).map((symbol) => symbol.name);
  const nearest = nearestName(node.getText(), names);
  return nearest === undefined ? "Declare the type in the script." : `Did you mean \`${nearest}\`?`;
}

/** A name that is nowhere declared. */
function hintForName({ node, checker, exportNames }: HintContext): string {
  const name = ts.isIdentifier(node) ? node.text : node.getText();
  const meaning = ts.isTypeNode(node.parent) ? ts.SymbolFlags.Type : ts.SymbolFlags.Value;
  const inScope = checker.getSymbolsInScope(node, meaning | ts.SymbolFlags.Alias).map((symbol) => symbol.name);
  return hintForUndeclared({ name, members: membersAfter(node) }, inScope, exportNames);
}

/** What follows a name where it is used: `a`, `b` and `c` of `NAME.a["b"]("c")`. */
function membersAfter(node: ts.Node): string[] {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    return [parent.name.text, ...membersAfter(parent)];
  if (ts.isElementAccessExpression(parent) && parent.expression === node)
    return [...textsOf([parent.argumentExpression]), ...membersAfter(parent)];
  if (ts.isCallExpression(parent) && parent.expression === node)
    return [...textsOf(parent.arguments), ...membersAfter(parent)];
  return [];
}

function textsOf(nodes: readonly ts.Expression[]): string[] {
  return nodes.filter(ts.isStringLiteralLike).map(({ text }) => text);
}

/** `object[key]` with a key that the object's type does not have. */
function hintForIndex(context: HintContext): string | undefined {
  const { node, checker } = context;
  const literal = literalKeyOf(node);
  if (literal !== undefined) return hintForProperty({ ...context, node: literal });
  const access = ts.findAncestor(node, ts.isElementAccessExpression);
  if (access === undefined) {
    const property = ts.findAncestor(node, ts.isPropertyAccessExpression);
    return property?.expression.getText() === "globalThis"
      ? "Keep values in variables of the script; of globals only `globalThis.__codemode_result__` is for it to set."
      : undefined;
  }
  const type = checker.getTypeAtLocation(access.expression);
  const key = snippetOf(access.argumentExpression, context);
  const object = operandOf(access.expression, context);
  if (isPromise(type, checker)) return `Put \`await\` before it: \`(await ${object})[${key}]\`.`;
  if (checker.isArrayLikeType(type)) return `An array is indexed by numbers: \`${object}[Number(${key})]\`.`;
  const names = [...declaredProperties(type, checker).keys()];
  const known = names.length === 0 ? "" : ` Its keys are: ${names.slice(0, 10).join(", ")}.`;
  return `Allow any key: \`(${object} as Record<string, unknown>)[${key}]\`, or declare it as \`${describeIndexed(type, checker)}\`.${known}`;
}

function describeIndexed(type: ts.Type, checker: ts.TypeChecker): string {
  const [first] = declaredProperties(type, checker).values();
  const value = first === undefined ? "unknown" : describeType(checker.getTypeOfSymbol(first), checker, 0);
  return `Record<string, ${value}>`;
}

/** An operator, a loop or a condition over a value that is not of a kind for it. */
function hintForOperation(context: HintContext): string | undefined {
  const { checker } = context;
  const operands = operandsOf(context.node);
  for (const operand of operands) {
    const type = checker.getTypeAtLocation(operand);
    if (isPromise(type, checker)) return `Put \`await\` before it: \`await ${snippetOf(operand, context)}\`.`;
    if (isUnknown(type)) return hintForUnknownValue(operand, context);
  }
  const binary = ts.findAncestor(context.node, ts.isBinaryExpression);
  const [left, right] = operands;
  if (binary === undefined) return left === undefined ? undefined : hintForIteration(left, context);
  if (left === undefined || right === undefined) return undefined;
  return isComparison(binary) ? hintForComparison(left, right, context) : hintForArithmetic(operands, context);
}

function operandsOf(node: ts.Node): ts.Expression[] {
  const binary = ts.isBinaryExpression(node) ? node : node.parent;
  if (ts.isBinaryExpression(binary)) return [binary.left, binary.right];
  const loop = ts.findAncestor(node, ts.isForOfStatement);
  if (loop?.expression === node) return [loop.expression];
  return ts.isExpression(node) ? [node] : [];
}

function isComparison({ operatorToken }: ts.BinaryExpression): boolean {
  return /^[!=]==?$/.test(operatorToken.getText());
}

/** A literal that the other side can never be. */
function hintForComparison(left: ts.Expression, right: ts.Expression, { checker }: HintContext): string {
  const [leftType, rightType] = [checker.getTypeAtLocation(left), checker.getTypeAtLocation(right)];
  const [written, other] = rightType.isStringLiteral() ? [rightType, leftType] : [leftType, rightType];
  const values = literalValues(other);
  if (written.isStringLiteral() && values !== undefined) {
    const nearest = nearestName(written.value, values.map(String));
    return `${nearest === undefined ? "" : `Did you mean ${JSON.stringify(nearest)}? `}It can be: ${listValues(values)}.`;
  }
  return `They are never equal: one is \`${describeType(leftType, checker)}\`, the other \`${describeType(rightType, checker)}\`. Convert one, with \`Number(…)\` or \`String(…)\`.`;
}

function hintForArithmetic(operands: readonly ts.Expression[], context: HintContext): string | undefined {
  const { checker } = context;
  const wrong = operands.find((operand) => !(checker.getTypeAtLocation(operand).flags & ts.TypeFlags.NumberLike));
  return wrong === undefined ? undefined : `Convert it to a number: \`Number(${snippetOf(wrong, context)})\`.`;
}

/** Something that is no list where one is gone through, spread or taken apart. */
function hintForIteration(node: ts.Expression, context: HintContext): string | undefined {
  const { checker } = context;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
  const operand = operandOf(node, context);
  for (const [name, symbol] of declaredProperties(type, checker)) {
    if (elementType(checker.getTypeOfSymbol(symbol), checker) !== undefined)
      return `The list is \`${operand}.${name}\`.`;
  }
  if (!(type.flags & ts.TypeFlags.Object)) return `It is \`${describeType(type, checker)}\`, which is not iterable.`;
  return `It is an object: go through \`Object.entries(${operand})\`.`;
}
