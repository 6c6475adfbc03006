import { RESULT_PLACE } from "./check-request.ts";
import { nodeAt, nodesIn } from "./type-questions.ts";
import { ts } from "./typescript.ts";

/** Says of an offset in a file whether what happened elsewhere can follow from the code there. */
export type IsBehind = (file: ts.SourceFile, offset: number) => boolean;

/**
 * Finds the code that places of a failure take their values from, or that decides whether they are reached: a backward slice over variables. Functions count
 * whole, and a parameter stands for all calls of its function.
 * @param places in the form of `Diagnostic.path`, or `RESULT_PLACE`
 * @param files by the names that the places have
 */
export function findCodeBehind(
  places: readonly string[],
  files: ReadonlyMap<string, ts.SourceFile>,
  checker: ts.TypeChecker,
): IsBehind {
  const sources = [...files.values()];
  const writers = findWriters(sources, checker);
  const regions = new Set<ts.Node>();
  const seen = new Set<ts.Symbol>();
  const addRegion = (region: ts.Node): void => {
    if (regions.has(region)) return;
    regions.add(region);
    for (const node of nodesIn(region)) if (ts.isIdentifier(node)) follow(symbolAt(node, checker));
    for (let node = region.parent; !ts.isSourceFile(node); node = node.parent) {
      const head = headOf(node);
      if (head !== undefined) addRegion(head);
      if (ts.isFunctionLike(node)) node.parameters.forEach(({ name }) => followNames(name));
    }
  };
  const followNames = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) follow(symbolAt(name, checker));
    else for (const element of name.elements) if (ts.isBindingElement(element)) followNames(element.name);
  };
  const follow = (symbol: ts.Symbol | undefined): void => {
    if (symbol === undefined || seen.has(symbol)) return;
    seen.add(symbol);
    for (const declaration of symbol.declarations ?? []) {
      if (!sources.includes(declaration.getSourceFile())) continue;
      for (const source of sourcesOf(declaration)) addRegion(source);
      const owner = ts.findAncestor(declaration, ts.isParameter)?.parent;
      for (const call of owner === undefined ? [] : callsOf(owner)) addRegion(call);
    }
    for (const writer of writers.get(symbol) ?? []) addRegion(writer);
  };
  /** Where the arguments of a function come from. */
  const callsOf = (owner: ts.SignatureDeclaration): Iterable<ts.Node> => {
    const name = ts.isVariableDeclaration(owner.parent) ? owner.parent.name : owner.name;
    const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name);
    if (symbol !== undefined) return writers.calls.get(symbol) ?? [];
    // A callback gets them from what it is passed to.
    return ts.isCallExpression(owner.parent) ? [owner.parent.expression] : [];
  };
  for (const place of places) {
    const nodes = place === RESULT_PLACE ? sources.flatMap(findResults) : findNode(place, files);
    for (const node of nodes) addRegion(node);
  }
  return (file, offset) =>
    [...regions].some(
      (region) => region.getSourceFile() === file && region.getStart(file) <= offset && offset < region.getEnd(),
    );
}

/** The step at a place of the form `script.ts:LINE:COLUMN`. */
function findNode(place: string, files: ReadonlyMap<string, ts.SourceFile>): ts.Node[] {
  const [, name = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  const file = files.get(name);
  const lineStart = file?.getLineStarts()[Number(line) - 1];
  if (file === undefined || lineStart === undefined) return [];
  return [stepOf(nodeAt(file, Math.min(lineStart + Number(column) - 1, file.end), 0))];
}

/** Default exports, what is assigned to the result, and a `return`, which is read as a `throw`. */
function findResults(file: ts.SourceFile): ts.Node[] {
  return file.statements.filter(
    (statement) =>
      ts.isExportAssignment(statement) ||
      ts.isThrowStatement(statement) ||
      statement.getText(file).includes("__codemode_result__"),
  );
}

/** The part of a statement, such as its condition or initializer, that a node is evaluated with. */
function stepOf(node: ts.Node): ts.Node {
  const isStep = (one: ts.Node): boolean =>
    ts.isSourceFile(one.parent) || ts.isStatement(one.parent) || ts.isVariableDeclaration(one);
  return (ts.isSourceFile(node) ? undefined : ts.findAncestor(node, isStep)) ?? node;
}

/** What decides whether the inside of a statement runs, and how often. */
function headOf(node: ts.Node): ts.Node | undefined {
  if (ts.isForStatement(node) || ts.isConditionalExpression(node)) return node.condition;
  const hasHead =
    ts.isIfStatement(node) ||
    ts.isWhileStatement(node) ||
    ts.isDoStatement(node) ||
    ts.isSwitchStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node);
  return hasHead ? node.expression : undefined;
}

/** What a declaration takes its value from. */
function sourcesOf(declaration: ts.Declaration): ts.Node[] {
  const variable = ts.findAncestor(declaration, ts.isVariableDeclaration);
  if (ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration)) {
    if (variable === undefined) return [declaration];
    const loop = variable.parent.parent;
    return ts.isForOfStatement(loop) || ts.isForInStatement(loop) ? [variable, loop.expression] : [variable];
  }
  return ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration) ? [declaration] : [];
}

type Writers = Map<ts.Symbol, Set<ts.Node>> & { calls: Map<ts.Symbol, Set<ts.Node>> };

/** By variable, the expressions that assign it or call a method of it, and the calls of each function. */
function findWriters(files: readonly ts.SourceFile[], checker: ts.TypeChecker): Writers {
  const writers: Writers = Object.assign(new Map<ts.Symbol, Set<ts.Node>>(), { calls: new Map() });
  const add = (to: Map<ts.Symbol, Set<ts.Node>>, name: ts.Node, node: ts.Node): void => {
    const symbol = ts.isIdentifier(name) ? symbolAt(name, checker) : undefined;
    if (symbol !== undefined) to.set(symbol, (to.get(symbol) ?? new Set()).add(node));
  };
  for (const node of files.flatMap(nodesIn)) {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
      for (const target of nodesIn(node.left)) add(writers, rootOf(target), node);
    }
    if (ts.isCallExpression(node)) {
      if (ts.isIdentifier(node.expression)) add(writers.calls, node.expression, node);
      else add(writers, rootOf(node.expression), node);
    }
  }
  return writers;
}

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

function rootOf(node: ts.Node): ts.Node {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? rootOf(node.expression) : node;
}

function symbolAt(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
