import { nearestName } from "@codemode/runtime/nearest-name";
import { declaredProperties, elementType, isPromise, isUnknown } from "../type-questions.ts";
import { ts } from "../typescript.ts";
import { type HintContext, operandOf, describeType, isPlainObject, hintForUnknownValue } from "./hint-context.ts";

/** How the hint begins where the value has a member of nearly that name. */
export const MISSPELLED = "Did you mean";

/** How many members a hint lists at most. */
const MAX_LISTED = 20;

/** A member that a value does not have. */
export function hintForProperty(context: HintContext): string | undefined {
  const owner = findOwner(context);
  if (owner === undefined) return undefined;
  const { checker } = context;
  const { type, operand, name, value } = owner;
  if (value !== undefined && isUnknown(type)) return hintForUnknownValue(value, context);
  if (isPromise(type, checker)) {
    const awaited = checker.getAwaitedType(type) ?? type;
    const isThere = checker.getPropertyOfType(checker.getApparentType(awaited), name) !== undefined;
    const advice =
      operand === undefined
        ? "Put `await` before the call."
        : `Put \`await\` before it: \`(await ${operand}).${name}\`.`;
    return isThere ? advice : `${advice} ${describeMembers(awaited, name, context)}`;
  }
  const element = elementType(type, checker);
  if (element !== undefined && checker.getPropertyOfType(element, name) !== undefined) {
    const list = operand ?? "list";
    return `It is an array: read \`${name}\` of an element (\`${list}[0].${name}\`), or of each (\`${list}.map((item) => item.${name})\`).`;
  }
  return describeMembers(type, name, context, operand);
}

/** The value whose member is read, and under which name. */
interface Owner {
  type: ts.Type;
  name: string;
  operand?: string | undefined;
  value?: ts.Expression | undefined;
}

export function findOwner(context: HintContext): Owner | undefined {
  const { node, checker } = context;
  const { parent } = node;
  const name = ts.isStringLiteralLike(node) ? node.text : node.getText();
  if (ts.isPropertyAccessExpression(parent) || (ts.isElementAccessExpression(parent) && ts.isStringLiteralLike(node))) {
    const value = parent.expression;
    // What may be missing is an error of its own.
    const type = checker.getNonNullableType(checker.getTypeAtLocation(value));
    return { type, name, operand: operandOf(value, context), value };
  }
  if (!ts.isBindingElement(parent)) return undefined;
  const declaration = parent.parent.parent;
  const initializer = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  const type = checker.getTypeAtLocation(initializer ?? (ts.isParameter(declaration) ? declaration : parent.parent));
  return { type, name: (parent.propertyName ?? parent.name).getText(), value: initializer };
}

/** Which members there are instead, the nearest first. */
function describeMembers(type: ts.Type, name: string, { checker }: HintContext, operand = "value"): string {
  const isPartOfUnion =
    type.isUnion() && type.types.some((part) => checker.getPropertyOfType(part, name) !== undefined);
  const owners = type.isUnion() && !isPartOfUnion ? type.types.filter((part) => isPlainObject(part, checker)) : [];
  const names = [checker.getApparentType(type), ...owners].flatMap((one) => [
    ...declaredProperties(one, checker).keys(),
  ]);
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `${MISSPELLED} \`${nearest}\`?${listOwn(type, checker, ` Its type is`)}`;
  if (type.flags & ts.TypeFlags.StringLike) {
    return `It is a string: use it as text, or parse it as JSON first: \`JSON.parse(${operand}).${name}\`.`;
  }
  if (type.isUnion())
    return `Narrow its type first, for example with \`"${name}" in ${operand}\`: \`${describeType(type, checker)}\`.`;
  const inner = findInside(type, name, checker);
  if (inner !== undefined) return `It is further inside: \`${operand}.${inner}\`.`;
  if (isPlainObject(type, checker) && names.length === 0) {
    return `Declare the object with its properties: \`const ${operand}: Record<string, unknown> = {}\`.`;
  }
  return isPlainObject(type, checker) && !isMadeOfFunctions(type, checker)
    ? `It is \`${describeType(type, checker)}\`.`
    : `It has: ${names
        .filter((one) => /^\w+$/.test(one))
        .slice(0, MAX_LISTED)
        .join(", ")}.`;
}

function listOwn(type: ts.Type, checker: ts.TypeChecker, lead: string): string {
  return isPlainObject(type, checker) ? `${lead} \`${describeType(type, checker)}\`.` : "";
}

function isMadeOfFunctions(type: ts.Type, checker: ts.TypeChecker): boolean {
  const members = checker.getPropertiesOfType(type);
  return members.every((symbol) => checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0);
}

/** The path to a member of that name one level further inside. */
function findInside(type: ts.Type, name: string, checker: ts.TypeChecker): string | undefined {
  if (!isPlainObject(type, checker)) return undefined;
  for (const [key, symbol] of declaredProperties(type, checker)) {
    const declared = checker.getTypeOfSymbol(symbol);
    const inner = checker.getNonNullableType(declared);
    const access = inner === declared ? key : `${key}?`;
    if (isPlainObject(inner, checker) && checker.getPropertyOfType(inner, name) !== undefined)
      return `${access}.${name}`;
    const element = elementType(inner, checker);
    if (element !== undefined && checker.getPropertyOfType(element, name) !== undefined)
      return `${access}${access === key ? "" : "."}[0].${name}`;
  }
  return undefined;
}
