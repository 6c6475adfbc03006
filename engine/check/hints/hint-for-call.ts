import { declaredProperties, isOptional, isUnknown, toolNameOf } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { describeType, isPlainObject } from "./describe-type.ts";
import { type HintContext, snippetOf } from "./hint-context.ts";
import { hintForUnknownValue } from "./hint-for-unknown.ts";

/** A call with the wrong number of arguments, or of something that is no function. */
export function hintForCall(context: HintContext): string | undefined {
  const { node, checker } = context;
  const call = ts.findAncestor(node, (one) => ts.isCallExpression(one) || ts.isNewExpression(one));
  if (call === undefined) return undefined;
  const callee = checker.getTypeAtLocation(call.expression);
  if (isUnknown(callee)) return hintForUnknownValue(call.expression, context);
  const [signature] = [...callee.getCallSignatures(), ...callee.getConstructSignatures()];
  if (signature === undefined) return hintForUncallable(call.expression, callee, context);
  if (checker.getNonNullableType(callee) !== callee) {
    return `It may be undefined: write \`${snippetOf(call.expression, context)}?.(…)\`.`;
  }
  const toolName = ts.isCallExpression(call) ? toolNameOf(call, checker) : undefined;
  const [parameter] = signature.parameters;
  if (toolName === undefined || parameter === undefined) {
    return `Call it as \`${snippetOf(call.expression, context)}${checker.signatureToString(signature)}\`.`;
  }
  return `A tool takes one object: \`${printToolCall(toolName, checker.getTypeOfSymbol(parameter), call.arguments ?? [], context)}\`.`;
}

/** A call of the tool with its arguments by name; `written` are those that were given by position. */
export function printToolCall(
  toolName: string,
  input: ts.Type,
  written: readonly ts.Expression[],
  context: HintContext,
): string {
  const { checker } = context;
  const values = written.filter((value) => !ts.isObjectLiteralExpression(value));
  const declared = [...declaredProperties(checker.getNonNullableType(input), checker).values()];
  const ordered = declared.toSorted((left, right) => Number(isOptional(left)) - Number(isOptional(right)));
  const required = ordered.filter((symbol) => !isOptional(symbol)).length;
  const isAllGiven = values.length >= Math.max(required, 1) && values.length <= ordered.length;
  if (!isAllGiven) return `${toolName}(${describeType(checker.getNonNullableType(input), checker)})`;
  const members = values.map((value, index) => `${ordered[index]?.name}: ${snippetOf(value, context)}`);
  return `${toolName}({ ${members.join(", ")} })`;
}

function hintForUncallable(callee: ts.Expression, type: ts.Type, context: HintContext): string {
  const { checker } = context;
  const functions = [...declaredProperties(type, checker)].filter(
    ([, symbol]) => checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0,
  );
  const names = functions.map(([name]) => name).slice(0, 10);
  const isModule = type.getSymbol()?.flags === ts.SymbolFlags.ValueModule;
  if (isModule || (isPlainObject(type, checker) && names.length > 0)) {
    return `Call one of its functions, such as \`${snippetOf(callee, context)}.${names[0] ?? "name"}(…)\`: ${names.join(", ")}.`;
  }
  return `It is not a function but \`${describeType(type, checker)}\`.`;
}
