import { ts } from "./typescript.ts";

/** True for what `await` would wait for. */
export function isPromise(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
  return (
    type.getSymbol()?.name === "Promise" || (type.isUnion() && type.types.some((part) => isPromise(part, checker)))
  );
}

/** A value of which nothing is known, or no more than that it is the result of some tool. */
export function isUnknown(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Unknown) !== 0 || isAnyResult(type);
}

/** `string | McpResult`, what a tool returns of whose results nothing is known. */
function isAnyResult(type: ts.Type): boolean {
  if (!type.isUnion() || type.types.length !== 2) return false;
  const isWholeResult = (part: ts.Type): boolean => part.getSymbol()?.name === "McpResult";
  return type.types.some(({ flags }) => flags & ts.TypeFlags.String) && type.types.some(isWholeResult);
}

/** The properties that a type names; an index signature names none. */
export function declaredProperties(type: ts.Type, checker: ts.TypeChecker): Map<string, ts.Symbol> {
  return new Map(checker.getPropertiesOfType(type).map((symbol) => [symbol.name, symbol]));
}

export function isOptional(symbol: ts.Symbol | undefined): boolean {
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Optional) !== 0;
}

/** What an array holds, undefined for other types. */
export function elementType(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!checker.isArrayType(type) && !checker.isTupleType(type)) return undefined;
  return type.getNumberIndexType();
}

/** The values that a type leaves, undefined where it is not made of literals alone. */
export function literalValues(type: ts.Type): (string | number)[] | undefined {
  const members = (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0,
  );
  const values = members.flatMap((member) =>
    member.isStringLiteral() || member.isNumberLiteral() ? [member.value] : [],
  );
  return values.length > 0 && values.length === members.length ? values : undefined;
}

/** The name of the tool that a call goes to, undefined for calls of anything else. */
export function toolNameOf(call: ts.CallExpression, checker: ts.TypeChecker): string | undefined {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration)) return undefined;
  const isOfServer = declaration.getSourceFile().fileName.startsWith("/@codemode/servers/");
  return isOfServer ? declaration.name?.text : undefined;
}

/** The innermost node that covers a part of a file. */
export function nodeAt(file: ts.SourceFile, start: number, length: number): ts.Node {
  let found: ts.Node = file;
  const descend = (node: ts.Node): void => {
    if (node.getStart(file) > start || node.getEnd() < start + length) return;
    found = node;
    ts.forEachChild(node, descend);
  };
  ts.forEachChild(file, descend);
  return found;
}

/** A node with all that are in it, parents first. */
export function nodesIn(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}
