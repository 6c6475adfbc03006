import { nearestName } from "@codemode/runtime/nearest-name";
import {
  declaredProperties,
  elementType,
  isOptional,
  isPromise,
  isUnknown,
  toolNameOf,
  literalValues,
} from "../type-questions.ts";
import { ts } from "../typescript.ts";
import {
  type HintContext,
  operandOf,
  snippetOf,
  describeProperty,
  describeType,
  isPlainObject,
  listValues,
  hintForUnknownValue,
  defaultFor,
} from "./hint-context.ts";

/** A value that is not of the type that its place wants. */
export function hintForMismatch(context: HintContext): string | undefined {
  const { checker } = context;
  const found = findExpression(context.node, checker);
  if (found === undefined) return undefined;
  const target = withoutBrand(checker.getContextualType(found));
  const source = checker.getTypeAtLocation(found);
  return target && explainMismatch({ source, wanted: target, value: found, context });
}

/** `JSON.parse` takes a `JsonText` first of all: for a reader that is a string. */
function withoutBrand(type: ts.Type | undefined): ts.Type | undefined {
  return type?.isIntersection() === true ? (type.types.find(({ flags }) => flags & ts.TypeFlags.String) ?? type) : type;
}

/** A value, its type, and the type that its place wants. */
interface Mismatch {
  source: ts.Type;
  wanted: ts.Type;
  value: ts.Expression;
  context: HintContext;
}

/** What to do so that the value fits its place. */
function explainMismatch({ source, wanted: target, value, context }: Mismatch): string | undefined {
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
  const mismatch = { source: present, wanted, value, context };
  const call = value.parent;
  if (ts.isCallExpression(call) && call.arguments[0] === value && isPlainObject(wanted, checker)) {
    const toolName = toolNameOf(call, checker);
    if (toolName !== undefined && !isPlainObject(present, checker)) return hintForInput(mismatch, call, toolName);
  }
  if (isPlainObject(wanted, checker) && isPlainObject(present, checker)) return explainMembers(mismatch);
  return (
    hintForConversion(mismatch) ??
    `Pass \`${describeType(wanted, checker)}\`; it is \`${describeType(present, checker)}\`.`
  );
}

/** Something else than an object as the input of a tool. */
function hintForInput({ source, wanted, value, context }: Mismatch, call: ts.CallExpression, toolName: string): string {
  const { checker } = context;
  const element = elementType(source, checker);
  if (element !== undefined && checker.isTypeAssignableTo(element, wanted)) {
    return `A tool takes one object: call it for each, \`await Promise.all(${operandOf(value, context)}.map((input) => ${toolName}(input)))\`.`;
  }
  const member = [...declaredProperties(wanted, checker)].find(([, symbol]) =>
    checker.isTypeAssignableTo(source, checker.getTypeOfSymbol(symbol)),
  )?.[0];
  if (element !== undefined && member !== undefined) {
    const text = snippetOf(value, context);
    return `A tool takes one object: \`${toolName}({ ${member}: ${text === "value" ? "[…]" : text} })\`.`;
  }
  const written =
    element === undefined
      ? call.arguments
      : [...call.arguments].flatMap((one) => (ts.isArrayLiteralExpression(one) ? [...one.elements] : [one]));
  return `A tool takes one object: \`${printToolCall(toolName, wanted, written, context)}\`.`;
}

/** Names the members that are missing, misspelt or wrong. */
function explainMembers({ source, wanted, value, context }: Mismatch): string {
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
    const inner = explainMismatch({ source: ownType, wanted: wantedType, value: initializerOf(own) ?? value, context });
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

/** How to make a value of one kind from one of another. */
function hintForConversion(mismatch: Mismatch): string | undefined {
  const { wanted, context } = mismatch;
  const values = literalValues(wanted);
  if (values !== undefined) return hintForLiteral(mismatch, values);
  if (elementType(wanted, context.checker) !== undefined) return hintForArray(mismatch);
  if (wanted.flags & ts.TypeFlags.String) return hintForString(mismatch);
  if (wanted.flags & ts.TypeFlags.Number) return hintForNumber(mismatch);
  if (wanted.flags & ts.TypeFlags.Boolean) return "Pass `true` or `false`, without quotes.";
  return isPlainObject(wanted, context.checker) ? hintForObject(mismatch) : undefined;
}

/** One of a few values is wanted: the nearest of them first. */
function hintForLiteral({ source, value, context }: Mismatch, values: readonly (string | number)[]): string {
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

function hintForArray(mismatch: Mismatch): string | undefined {
  const { source, wanted, value, context } = mismatch;
  const { checker } = context;
  const item = elementType(wanted, checker) as ts.Type;
  const text = snippetOf(value, context);
  if (checker.isTypeAssignableTo(source, item)) return `Pass an array: \`[${text}]\`.`;
  const own = elementType(source, checker);
  if (own !== undefined) {
    const advice = hintForConversion({ source: own, wanted: item, value, context });
    return `Each element must be \`${describeType(item, checker)}\`${advice === undefined ? "" : `: \`${text}.map((item) => …)\``}.`;
  }
  return `Pass an array: \`${describeType(wanted, checker)}\`.${nameFittingMember(mismatch)}`;
}

function hintForString(mismatch: Mismatch): string {
  const { source, value, context } = mismatch;
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
    const member = nameFittingMember({ ...mismatch, wanted: checker.getStringType() });
    return `Pass a string.${member === "" ? ` For JSON text write \`JSON.stringify(${snippetOf(value, context)})\`.` : member}`;
  }
  return `Write \`String(${snippetOf(value, context)})\`.`;
}

function hintForNumber(mismatch: Mismatch): string {
  const { source, value, context } = mismatch;
  const text = snippetOf(value, context);
  if (source.isStringLiteral() && source.value.trim() !== "" && !Number.isNaN(Number(source.value))) {
    return `Write it without quotes: \`${Number(source.value)}\`.`;
  }
  const member = nameFittingMember({ ...mismatch, wanted: context.checker.getNumberType() });
  return `Pass a number: \`Number(${text})\`.${member}`;
}

function hintForObject({ source, wanted, value, context }: Mismatch): string {
  const { checker } = context;
  const shape = describeType(wanted, checker);
  const element = elementType(source, checker);
  if (element === undefined) return `Pass an object: \`${shape}\`.`;
  return checker.isTypeAssignableTo(element, wanted)
    ? `One object is expected: take an element (\`${operandOf(value, context)}[0]\`), or call once for each.`
    : `Pass one object instead of an array: \`${shape}\`.`;
}

/** A property of the value that would fit in its place. */
function nameFittingMember({ source, wanted, value, context }: Mismatch): string {
  const { checker } = context;
  if (!isPlainObject(source, checker)) return "";
  const fitting = [...declaredProperties(source, checker)].find(([, symbol]) =>
    checker.isTypeAssignableTo(checker.getTypeOfSymbol(symbol), wanted),
  );
  return fitting === undefined ? "" : ` A property of it fits: \`${operandOf(value, context)}.${fitting[0]}\`.`;
}

function isArgumentOf(value: ts.Expression, callee: string): boolean {
  return ts.isCallExpression(value.parent) && value.parent.expression.getText() === callee;
}

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

/** A call of the tool with its arguments by name; `written` has the ones that were given by position. */
function printToolCall(
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
