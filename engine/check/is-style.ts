import { ts } from "./typescript.ts";

/** `any` by default: of a parameter, a variable, a member. */
const IMPLICIT_ANY_CODES = { first: 7000, last: 7999 };

/** A parameter, or a name in its pattern, that is `any` by default. */
const PARAMETER_CODES = [7006, 7031];

/** A key that the type of the object does not have. */
const INDEX_CODES = [7052, 7053];

/** No such property. */
const PROPERTY_CODE = 2339;

/** True for what TypeScript wants of programs that are kept, and what a script that lives for a second does rightly without. */
export function isStyle(code: number, node: ts.Node, checker: ts.TypeChecker): boolean {
  if (code === PROPERTY_CODE) return isNewMember(node, checker);
  if (INDEX_CODES.includes(code) && literalKeyOf(node) !== undefined) return false;
  return code >= IMPLICIT_ANY_CODES.first && code <= IMPLICIT_ANY_CODES.last;
}

/** True for a parameter without a type where no type can be known: the function is passed to something that is `any`. */
export function isOfUnknownCall(code: number, node: ts.Node, checker: ts.TypeChecker): boolean {
  if (!PARAMETER_CODES.includes(code)) return false;
  const callback = ts.findAncestor(node, ts.isFunctionLike);
  const call = callback?.parent;
  if (call === undefined || !ts.isCallExpression(call)) return false;
  return (checker.getTypeAtLocation(call.expression).flags & ts.TypeFlags.Any) !== 0;
}

/** The key of `object["key"]`, where that is written out. */
export function literalKeyOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const access = ts.isElementAccessExpression(node) ? node : node.parent;
  if (!ts.isElementAccessExpression(access)) return undefined;
  return ts.isStringLiteralLike(access.argumentExpression) ? access.argumentExpression : undefined;
}

/** `object.name = value`, where the author made the object with other members. */
function isNewMember(node: ts.Node, checker: ts.TypeChecker): boolean {
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) || access.name !== node) return false;
  const assignment = access.parent;
  if (!ts.isBinaryExpression(assignment) || assignment.left !== access) return false;
  const made = checker.getTypeAtLocation(access.expression).getSymbol()?.valueDeclaration;
  return (
    assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    made !== undefined &&
    ts.isObjectLiteralExpression(made)
  );
}
