import { nearestName } from "@codemode/runtime/nearest-name";
import { declaredProperties, elementType, isPromise, isUnknown, literalValues } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { describeType, listValues } from "./describe-type.ts";
import { type HintContext, operandOf, snippetOf } from "./hint-context.ts";
import { hintForUnknownValue } from "./hint-for-unknown.ts";

/** An operator, a loop or a condition over a value that is not of a kind for it. */
export function hintForOperation(context: HintContext): string | undefined {
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
