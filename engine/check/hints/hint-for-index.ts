import { describeType } from "./describe-type.ts";
import { declaredProperties, isPromise } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { literalKeyOf } from "../is-style.ts";
import { hintForProperty } from "./hint-for-property.ts";
import { type HintContext, operandOf, snippetOf } from "./hint-context.ts";

/** `object[key]` with a key that the object's type does not have. */
export function hintForIndex(context: HintContext): string | undefined {
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
