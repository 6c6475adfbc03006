import { ts } from "./typescript.ts";

/** Codes below 2000 are about syntax; these are about types all the same. */
const TYPE_CODES_BELOW_2000 = [1320, 1345, 1360];

/** No such module, or no such export of it. */
const IMPORT_CODES = [1192, 2305, 2307, 2459, 2460, 2613, 2614, 2616, 2724, 2732, 2792, 2834, 2835, 6137, 6142];

/** Of `/// <reference … />`, which is a comment to everybody else. */
const REFERENCE_CODES = [2688, 2726, 2727, 6053, 6231];

/** Declared twice, or assigned to though imported. */
const BINDING_CODES = [2300, 2440, 2451, 2539, 2632];

/** No such property, with and without a proposal. */
const PROPERTY_CODES = [2339, 2551];

/** No such name, with the proposals that depend on the name. */
export const NAME_CODES = [2304, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 18004];

/** True for what the bundler reports already, or what is no mistake in the sandbox. */
export function isLeftToBundler(code: number, node: ts.Node, checker: ts.TypeChecker): boolean {
  if (code < 2000) return !TYPE_CODES_BELOW_2000.includes(code);
  if (BINDING_CODES.includes(code) || REFERENCE_CODES.includes(code)) return true;
  // Of a module of Node's own TypeScript says that the name is not there.
  if (IMPORT_CODES.includes(code) || (NAME_CODES.includes(code) && ts.isStringLiteral(node)))
    return !isTypeImport(node);
  if (PROPERTY_CODES.includes(code)) return isNamespaceMember(node, checker);
  const isOfType = ts.isPartOfTypeNode(node) || ts.findAncestor(node, ts.isTypeQueryNode) !== undefined;
  return NAME_CODES.includes(code) && !isOfType;
}

/** What only types are imported of is no part of the bundle. */
function isTypeImport(node: ts.Node): boolean {
  if (ts.findAncestor(node, ts.isImportTypeNode) !== undefined) return true;
  const specifier = ts.findAncestor(node, ts.isImportSpecifier);
  const clause = ts.findAncestor(node, ts.isImportDeclaration)?.importClause;
  return specifier?.isTypeOnly === true || clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** A member of `import * as name`. */
function isNamespaceMember(node: ts.Node, checker: ts.TypeChecker): boolean {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || !ts.isIdentifier(parent.expression)) return false;
  const symbol = checker.getSymbolAtLocation(parent.expression);
  return symbol?.declarations?.some(ts.isNamespaceImport) === true;
}

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
