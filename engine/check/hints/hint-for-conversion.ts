import { nearestName } from "@codemode/runtime/nearest-name";
import { declaredProperties, elementType, literalValues } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { describeType, isPlainObject, listValues } from "./describe-type.ts";
import { type HintContext, operandOf, snippetOf } from "./hint-context.ts";

/** How to make a value of one kind from one of another. */
export function hintForConversion(
  source: ts.Type,
  wanted: ts.Type,
  value: ts.Expression,
  context: HintContext,
): string | undefined {
  const values = literalValues(wanted);
  if (values !== undefined) return hintForLiteral(source, values, value, context);
  const kind = kindOf(wanted, context.checker);
  if (kind === "array") return hintForArray(source, wanted, value, context);
  if (kind === "string") return hintForString(source, value, context);
  if (kind === "number") return hintForNumber(source, value, context);
  if (kind === "boolean") return "Pass `true` or `false`, without quotes.";
  if (kind === "object") return hintForObject(source, wanted, value, context);
  return undefined;
}

type Kind = "array" | "string" | "number" | "boolean" | "object";

function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind | undefined {
  if (elementType(type, checker) !== undefined) return "array";
  if (type.flags & ts.TypeFlags.String) return "string";
  if (type.flags & ts.TypeFlags.Number) return "number";
  if (type.flags & ts.TypeFlags.Boolean) return "boolean";
  return isPlainObject(type, checker) ? "object" : undefined;
}

/** One of a few values is wanted: the nearest of them first. */
function hintForLiteral(
  source: ts.Type,
  values: readonly (string | number)[],
  value: ts.Expression,
  context: HintContext,
): string {
  const written = ts.isStringLiteral(value) ? value.text : literalValues(source)?.[0];
  if (ts.isStringLiteral(value) && values.includes(value.text)) {
    return `Keep its literal type: \`${value.getText()} as const\`.`;
  }
  if (written === undefined) {
    const isText = (source.flags & ts.TypeFlags.String) !== 0;
    const advice = isText
      ? ` If it is one of them, assert it: \`${snippetOf(value, context)} as ${listValues(values, " | ")}\`, or declare the literal with \`as const\`.`
      : "";
    return `It must be one of ${listValues(values)}.${advice}`;
  }
  const nearest = nearestName(String(written), values.map(String));
  const first = values.find((one) => String(one) === nearest);
  const ordered = first === undefined ? values : [first, ...values.filter((one) => one !== first)];
  return `${first === undefined ? "" : `Did you mean ${JSON.stringify(first)}? `}Allowed: ${listValues(ordered)}.`;
}

function hintForArray(
  source: ts.Type,
  wanted: ts.Type,
  value: ts.Expression,
  context: HintContext,
): string | undefined {
  const { checker } = context;
  const item = elementType(wanted, checker) as ts.Type;
  const text = snippetOf(value, context);
  if (checker.isTypeAssignableTo(source, item)) return `Pass an array: \`[${text}]\`.`;
  const own = elementType(source, checker);
  if (own !== undefined) {
    const advice = hintForConversion(own, item, value, context);
    return `Each element must be \`${describeType(item, checker)}\`${advice === undefined ? "" : `: \`${text}.map((item) => …)\``}.`;
  }
  return `Pass an array: \`${describeType(wanted, checker)}\`.${nameFittingMember(source, wanted, value, context)}`;
}

function hintForString(source: ts.Type, value: ts.Expression, context: HintContext): string {
  const { checker } = context;
  const operand = operandOf(value, context);
  if (source.getSymbol()?.name === "Date") return `Write \`${operand}.toISOString()\`.`;
  if (source.isNumberLiteral()) return `Put it in quotes: \`"${source.value}"\`.`;
  if (isArgumentOf(value, "JSON.parse") && source.getSymbol()?.name === "McpResult")
    return `It is a whole MCP result: parse the text of one block, \`JSON.parse(${operand}.content[0].text ?? "")\`.`;
  if (isArgumentOf(value, "JSON.parse")) return "It is a value already, not JSON text: use it without `JSON.parse`.";
  if (elementType(source, checker) !== undefined) {
    return `One string is expected: take an element (\`${operand}[0]\`), or join them (\`${operand}.join(", ")\`).`;
  }
  if (isPlainObject(source, checker)) {
    const member = nameFittingMember(source, checker.getStringType(), value, context);
    return `Pass a string.${member === "" ? ` For JSON text write \`JSON.stringify(${snippetOf(value, context)})\`.` : member}`;
  }
  return `Write \`String(${snippetOf(value, context)})\`.`;
}

function hintForNumber(source: ts.Type, value: ts.Expression, context: HintContext): string {
  const text = snippetOf(value, context);
  if (source.isStringLiteral() && source.value.trim() !== "" && !Number.isNaN(Number(source.value))) {
    return `Write it without quotes: \`${Number(source.value)}\`.`;
  }
  return `Pass a number: \`Number(${text})\`.${nameFittingMember(source, context.checker.getNumberType(), value, context)}`;
}

function hintForObject(source: ts.Type, wanted: ts.Type, value: ts.Expression, context: HintContext): string {
  const { checker } = context;
  const shape = describeType(wanted, checker);
  const element = elementType(source, checker);
  if (element === undefined) return `Pass an object: \`${shape}\`.`;
  return checker.isTypeAssignableTo(element, wanted)
    ? `One object is expected: take an element (\`${operandOf(value, context)}[0]\`), or call once for each.`
    : `Pass one object instead of an array: \`${shape}\`.`;
}

/** A property of the value that would fit in its place. */
function nameFittingMember(
  source: ts.Type,
  wanted: ts.Type,
  value: ts.Expression,
  { checker, ...context }: HintContext,
): string {
  if (!isPlainObject(source, checker)) return "";
  const fitting = [...declaredProperties(source, checker)].find(([, symbol]) =>
    checker.isTypeAssignableTo(checker.getTypeOfSymbol(symbol), wanted),
  );
  return fitting === undefined ? "" : ` A property of it fits: \`${operandOf(value, context)}.${fitting[0]}\`.`;
}

function isArgumentOf(value: ts.Expression, callee: string): boolean {
  return ts.isCallExpression(value.parent) && value.parent.expression.getText() === callee;
}
