import { nearestName } from "@codemode/runtime/nearest-name";
import { declaredProperties, elementType, isOptional, isPromise, isUnknown, toolNameOf } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { describeProperty, describeType, isPlainObject } from "./describe-type.ts";
import { hintForConversion } from "./hint-for-conversion.ts";
import { type HintContext, operandOf, snippetOf } from "./hint-context.ts";
import { printToolCall } from "./hint-for-call.ts";
import { defaultFor } from "./hint-for-nullish.ts";
import { hintForUnknownValue } from "./hint-for-unknown.ts";

/** A value that is not of the type that its place wants. */
export function hintForMismatch(context: HintContext): string | undefined {
  const { checker } = context;
  const found = findExpression(context.node, checker);
  if (found === undefined) return undefined;
  const target = withoutBrand(checker.getContextualType(found));
  const source = checker.getTypeAtLocation(found);
  return target === undefined ? undefined : explainMismatch(source, target, found, context);
}

/** `JSON.parse` takes a `JsonText` first of all: for a reader that is a string. */
function withoutBrand(type: ts.Type | undefined): ts.Type | undefined {
  return type?.isIntersection() === true ? (type.types.find(({ flags }) => flags & ts.TypeFlags.String) ?? type) : type;
}

/** What to do so that `value`, of the type `source`, fits `target`. */
function explainMismatch(
  source: ts.Type,
  target: ts.Type,
  value: ts.Expression,
  context: HintContext,
): string | undefined {
  const { checker } = context;
  const wanted = checker.getNonNullableType(target);
  const text = snippetOf(value, context);
  if (isPromise(source, checker) && !isPromise(wanted, checker)) return `Put \`await\` before it: \`await ${text}\`.`;
  if (isUnknown(source)) return hintForUnknownValue(value, context);
  const present = checker.getNonNullableType(source);
  if (present !== source && present.flags & ts.TypeFlags.Never)
    return `A value is needed: \`${describeType(wanted, checker)}\`. Leave the property out where it is optional.`;
  if (present !== source && checker.isTypeAssignableTo(present, wanted)) {
    return `It may be undefined or null: check it first, or give a default: \`${text} ?? ${defaultFor(wanted, checker)}\`.`;
  }
  const call = value.parent;
  if (ts.isCallExpression(call) && call.arguments[0] === value && isPlainObject(wanted, checker)) {
    const toolName = toolNameOf(call, checker);
    if (toolName !== undefined && !isPlainObject(present, checker))
      return hintForInput(present, wanted, call, toolName, context);
  }
  if (isPlainObject(wanted, checker) && isPlainObject(present, checker))
    return explainMembers(present, wanted, value, context);
  const conversion = hintForConversion(present, wanted, value, context);
  return conversion ?? `Pass \`${describeType(wanted, checker)}\`; it is \`${describeType(present, checker)}\`.`;
}

/** Something else than an object as the input of a tool. */
function hintForInput(
  source: ts.Type,
  wanted: ts.Type,
  call: ts.CallExpression,
  toolName: string,
  context: HintContext,
): string {
  const { checker } = context;
  const element = elementType(source, checker);
  if (element !== undefined && checker.isTypeAssignableTo(element, wanted)) {
    return `A tool takes one object: call it for each, \`await Promise.all(${operandOf(call.arguments[0] as ts.Expression, context)}.map((input) => ${toolName}(input)))\`.`;
  }
  const member = [...declaredProperties(wanted, checker)].find(([, symbol]) =>
    checker.isTypeAssignableTo(source, checker.getTypeOfSymbol(symbol)),
  )?.[0];
  if (element !== undefined && member !== undefined) {
    const text = snippetOf(call.arguments[0] as ts.Expression, context);
    return `A tool takes one object: \`${toolName}({ ${member}: ${text === "value" ? "[…]" : text} })\`.`;
  }
  const written =
    element === undefined
      ? call.arguments
      : [...call.arguments].flatMap((one) => (ts.isArrayLiteralExpression(one) ? [...one.elements] : [one]));
  return `A tool takes one object: \`${printToolCall(toolName, wanted, written, context)}\`.`;
}

/** Names the members that are missing, misspelt or wrong. */
function explainMembers(source: ts.Type, wanted: ts.Type, value: ts.Expression, context: HintContext): string {
  const { checker } = context;
  const [have, want] = [declaredProperties(source, checker), declaredProperties(wanted, checker)];
  const extra = [...have.keys()].filter((name) => !want.has(name));
  const missing = [...want].filter(([name, symbol]) => !isOptional(symbol) && !have.has(name));
  const advice: string[] = [];
  const renamed = new Set<string>();
  for (const [name, symbol] of missing) {
    const left = extra.filter((one) => !renamed.has(one));
    const meant = nearestName(name, left) ?? (missing.length === 1 && left.length === 1 ? left[0] : undefined);
    if (meant === undefined) advice.push(`Add \`${describeProperty(symbol, checker)}\`.`);
    else advice.push(`Write \`${name}\` instead of \`${meant}\`.`);
    if (meant !== undefined) renamed.add(meant);
  }
  if (missing.length === 0 && wanted.getStringIndexType() === undefined) {
    for (const name of extra) {
      const meant = nearestName(
        name,
        [...want.keys()].filter((one) => !have.has(one)),
      );
      advice.push(meant === undefined ? `Leave out \`${name}\`.` : `Write \`${meant}\` instead of \`${name}\`.`);
    }
  }
  for (const [name, symbol] of want) {
    const own = have.get(name);
    if (own === undefined) continue;
    const [ownType, wantedType] = [checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(symbol)];
    if (checker.isTypeAssignableTo(ownType, wantedType)) continue;
    const inner = explainMismatch(ownType, wantedType, initializerOf(own) ?? value, context);
    if (inner !== undefined) advice.push(`\`${name}\`: ${inner}`);
  }
  return `${advice.slice(0, 4).join(" ")} Expected: \`${describeType(wanted, checker)}\`.`.trimStart();
}

function initializerOf(symbol: ts.Symbol): ts.Expression | undefined {
  const declaration = symbol.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isPropertyAssignment(declaration)) return declaration.initializer;
  return ts.isShorthandPropertyAssignment(declaration) ? declaration.name : undefined;
}

/** The expression whose value does not fit; TypeScript names the property or variable that it was for. */
function findExpression(node: ts.Node, checker: ts.TypeChecker): ts.Expression | undefined {
  const { parent } = node;
  if (ts.isReturnStatement(node)) return node.expression;
  if (ts.isObjectLiteralElementLike(parent) && parent.name === node) {
    // A property that the wanted type does not have is about the whole object.
    const wanted = checker.getContextualType(parent.parent as ts.ObjectLiteralExpression);
    const isExtra = wanted !== undefined && !declaredProperties(wanted, checker).has(node.getText());
    if (isExtra && wanted.getStringIndexType() === undefined) return parent.parent as ts.ObjectLiteralExpression;
    return ts.isPropertyAssignment(parent) ? parent.initializer : (node as ts.Identifier);
  }
  if (ts.isVariableDeclaration(parent) && parent.name === node) return parent.initializer;
  if (ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return parent.right;
  return ts.isExpression(node) ? node : undefined;
}
