import { describeType } from "./describe-type.ts";
import { elementType } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { type HintContext, operandOf, snippetOf } from "./hint-context.ts";

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
