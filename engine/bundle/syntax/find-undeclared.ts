import { type PlacedProblem, quote } from "../modules/import-problem.ts";
import {
  childNode,
  childNodes,
  constantText,
  isSyntaxNode,
  nameOf,
  type SyntaxNode,
  walkSyntax,
} from "./syntax-tree.ts";

/** A name that means nothing, or another thing than in TypeScript. */
export interface UndeclaredName {
  name: string;
  /** UTF-16 offset in the code. */
  start: number;
  /** The names that are declared around it. */
  inScope: readonly string[];
  /** What follows it where it is used: `a`, `b` and `c` of `NAME.a["b"]("c")`. */
  members?: readonly string[] | undefined;
  /** The namespace that another part of exports it. */
  namespace?: string | undefined;
}

/** What a module refers to without declaring it. */
export interface FreeNames {
  undeclared: readonly UndeclaredName[];
  /** Members of `globalThis` that it names: where a script makes a global, its name is declared. */
  globals: ReadonlySet<string>;
  /** The names of its own scope: its imports and declarations, and each `var` that no function holds. */
  declared: ReadonlySet<string>;
  /** Those of `declared` that an expression names; `typeof NAME` and lists of exports do not count. */
  used: ReadonlySet<string>;
}

/** What a module refers to that has no code of its own. */
export const NOTHING_FREE: FreeNames = { undeclared: [], globals: new Set(), declared: new Set(), used: new Set() };

interface Scope {
  parent: Scope | undefined;
  names: Set<string>;
  isFunction: boolean;
  /** What the part of a namespace with this body exports, by the path of the namespace. */
  part?: { path: string; parameter: string } | undefined;
}

interface Reference {
  name: string;
  start: number;
  scope: Scope;
}

/** What a walk through a module has found so far. */
interface Walk {
  references: Reference[];
  /** Names that the module asks about with `typeof`. */
  asked: Set<string>;
  globals: Set<string>;
  /** By the path of the namespace. */
  exportsOf: Map<string, Set<string>>;
}

/**
 * Finds the names of a module that neither it nor the sandbox declares, in the order of the source. A name that the module asks about with `typeof` is
 * its own affair. A name in one part of a TypeScript namespace that another part exports is found too: it is a member of the namespace there, which the
 * compiled code does not say.
 * @param known the names of the sandbox
 */
export function findFreeNames(program: SyntaxNode, known: ReadonlySet<string>): FreeNames {
  const walk: Walk = { references: [], asked: new Set(), globals: new Set(), exportsOf: new Map() };
  const own: Scope = { parent: undefined, names: new Set(), isFunction: true };
  visitBelow(walk, program, own);
  const undeclared: UndeclaredName[] = [];
  const used = new Set<string>();
  for (const { name, start, scope } of walk.references) {
    let at: Scope | undefined = scope;
    let namespace: string | undefined;
    while (at !== undefined && !at.names.has(name)) {
      if (at.part !== undefined && walk.exportsOf.get(at.part.path)?.has(name) === true) namespace ??= at.part.path;
      at = at.parent;
    }
    if (at === own) used.add(name);
    const isKnown = at !== undefined || known.has(name) || walk.asked.has(name);
    if (isKnown && namespace === undefined) continue;
    undeclared.push({ name, start, inScope: namesAround(scope), namespace });
  }
  return { undeclared: withMembers(undeclared, program), globals: walk.globals, declared: own.names, used };
}

/** Finds names in `export { NAME }` that the module does not declare. Parsers know no variables, and Rollup looks at them only if a module asks. */
export function findUndeclaredExports(program: SyntaxNode, { declared }: FreeNames): PlacedProblem[] {
  const exported = childNodes(program, "body").flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" && childNode(statement, "source") === undefined
      ? childNodes(statement, "specifiers")
      : [],
  );
  return exported.flatMap((specifier) => {
    const name = nameOf(childNode(specifier, "local")) ?? "";
    if (declared.has(name)) return [];
    const message = `The module exports ${quote(name)} and does not declare it.`;
    const hint = "Declare the variable, or leave it out of the export.";
    return [{ code: "SYNTAX_ERROR", message, hint, start: specifier.start }];
  });
}

/** The names with the scopes that they have in another form of the same module. */
export function withScopesOf(other: FreeNames, free: FreeNames): FreeNames {
  const scopes = new Map(other.undeclared.map(({ name, inScope }) => [name, inScope]));
  return {
    ...free,
    undeclared: free.undeclared.map((one) => ({ ...one, inScope: scopes.get(one.name) ?? one.inScope })),
  };
}

type Visit = (walk: Walk, node: SyntaxNode, scope: Scope) => void;

const skip: Visit = () => {};
const visitBlock: Visit = (walk, node, scope) => visitBelow(walk, node, open(scope));
const visitMember: Visit = (walk, node, scope) => {
  if (node["computed"] === true) visitChild(walk, node, "key", scope);
  visitChild(walk, node, "value", scope);
};

/** The nodes that declare names, open scopes, or hold names that refer to nothing. Of all others the children are visited. */
const VISITS: Readonly<Record<string, Visit>> = {
  Literal: skip,
  ExportAllDeclaration: skip,
  BreakStatement: skip,
  ContinueStatement: skip,
  MetaProperty: skip,
  TemplateElement: skip,
  Identifier({ references }, node, scope) {
    references.push({ name: node["name"] as string, start: node.start, scope });
  },
  ImportDeclaration(walk, node, scope) {
    for (const one of childNodes(node, "specifiers")) declare(walk, childNode(one, "local"), scope, scope);
  },
  ExportNamedDeclaration: (walk, node, scope) => visitChild(walk, node, "declaration", scope),
  VariableDeclaration(walk, node, scope) {
    const target = node["kind"] === "var" ? functionScope(scope) : scope;
    for (const one of childNodes(node, "declarations")) {
      declare(walk, childNode(one, "id"), target, scope);
      visitChild(walk, one, "init", scope);
    }
  },
  FunctionDeclaration(walk, node, scope) {
    declare(walk, childNode(node, "id"), scope, scope);
    visitFunction(walk, node, scope);
  },
  FunctionExpression(walk, node, scope) {
    const named = open(scope);
    declare(walk, childNode(node, "id"), named, named);
    visitFunction(walk, node, named);
  },
  ArrowFunctionExpression: visitFunction,
  ClassDeclaration(walk, node, scope) {
    declare(walk, childNode(node, "id"), scope, scope);
    visitClass(walk, node, scope);
  },
  ClassExpression: visitClass,
  StaticBlock: (walk, node, scope) => visitBelow(walk, node, open(scope, true)),
  BlockStatement: visitBlock,
  ForStatement: visitBlock,
  ForInStatement: visitBlock,
  ForOfStatement: visitBlock,
  SwitchStatement: visitBlock,
  CatchClause(walk, node, scope) {
    const inner = open(scope);
    declare(walk, childNode(node, "param"), inner, inner);
    visitChild(walk, node, "body", inner);
  },
  MemberExpression(walk, node, scope) {
    const object = childNode(node, "object");
    const isComputed = node["computed"] === true;
    const member = isComputed ? childNode(node, "property") : undefined;
    noteMember(walk, object, isComputed ? constantText(member) : nameOf(childNode(node, "property")), scope);
    if (object !== undefined) visit(walk, object, scope);
    if (member !== undefined) visit(walk, member, scope);
  },
  Property: visitMember,
  MethodDefinition: visitMember,
  PropertyDefinition: visitMember,
  LabeledStatement: (walk, node, scope) => visitChild(walk, node, "body", scope),
  UnaryExpression(walk, node, scope) {
    const argument = childNode(node, "argument");
    if (node["operator"] !== "typeof" || argument?.type !== "Identifier") visitBelow(walk, node, scope);
    else walk.asked.add(argument["name"] as string);
  },
  CallExpression(walk, node, scope) {
    if (!visitPart(walk, node, scope)) visitBelow(walk, node, scope);
  },
};

function visit(walk: Walk, node: SyntaxNode, scope: Scope): void {
  (VISITS[node.type] ?? visitBelow)(walk, node, scope);
}

function visitAll(walk: Walk, nodes: readonly SyntaxNode[], scope: Scope): void {
  for (const node of nodes) visit(walk, node, scope);
}

function visitBelow(walk: Walk, node: SyntaxNode, scope: Scope): void {
  for (const member in node) {
    const value = node[member];
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) {
      if (isSyntaxNode(value)) visit(walk, value, scope);
    } else for (const child of value) if (isSyntaxNode(child)) visit(walk, child, scope);
  }
}

function visitChild(walk: Walk, node: SyntaxNode, member: string, scope: Scope): void {
  const child = childNode(node, member);
  if (child !== undefined) visit(walk, child, scope);
}

/** Declares the names of a pattern; its keys and defaults are expressions. */
function declare(walk: Walk, pattern: SyntaxNode | undefined, target: Scope, scope: Scope): void {
  if (pattern === undefined) return;
  switch (pattern.type) {
    case "Identifier":
      target.names.add(pattern["name"] as string);
      return;
    case "ObjectPattern":
      for (const property of childNodes(pattern, "properties")) {
        if (property["computed"] === true) visitChild(walk, property, "key", scope);
        declare(walk, childNode(property, property.type === "Property" ? "value" : "argument"), target, scope);
      }
      return;
    case "ArrayPattern":
      for (const element of childNodes(pattern, "elements")) declare(walk, element, target, scope);
      return;
    case "AssignmentPattern":
      declare(walk, childNode(pattern, "left"), target, scope);
      return visitChild(walk, pattern, "right", scope);
    case "RestElement":
      return declare(walk, childNode(pattern, "argument"), target, scope);
  }
}

function visitFunction(walk: Walk, node: SyntaxNode, outer: Scope): void {
  const scope = open(outer, true);
  if (node.type !== "ArrowFunctionExpression") scope.names.add("arguments");
  for (const parameter of childNodes(node, "params")) declare(walk, parameter, scope, scope);
  const body = childNode(node, "body") as SyntaxNode;
  if (body.type === "BlockStatement") visitAll(walk, childNodes(body, "body"), scope);
  else visit(walk, body, scope);
}

function visitClass(walk: Walk, node: SyntaxNode, outer: Scope): void {
  const scope = open(outer);
  declare(walk, childNode(node, "id"), scope, scope);
  visitChild(walk, node, "superClass", scope);
  visitChild(walk, node, "body", scope);
}

function visitPart(walk: Walk, call: SyntaxNode, scope: Scope): boolean {
  const part = findNamespacePart(call);
  if (part === undefined) return false;
  const path = [enclosingPart(scope), part.name].filter((name) => name !== undefined).join(".");
  visitAll(walk, childNodes(call, "arguments"), scope);
  const inner = open(scope, true);
  inner.part = { path, parameter: part.parameter };
  inner.names.add(part.parameter);
  const exported = walk.exportsOf.get(path) ?? new Set();
  walk.exportsOf.set(path, exported);
  visitAll(walk, childNodes(childNode(part.body, "body") as SyntaxNode, "body"), inner);
  return true;
}

function noteMember(walk: Walk, object: SyntaxNode | undefined, member: string | undefined, scope: Scope): void {
  if (object?.type !== "Identifier" || member === undefined) return;
  if (object["name"] === "globalThis") walk.globals.add(member);
  const part = findPart(scope, object["name"] as string);
  if (part !== undefined) walk.exportsOf.get(part)?.add(member);
}

/** No name of a tool takes more steps; each part of a longer chain is looked at by itself. */
const MAX_STEPS = 8;

/** Adds what follows each name where it is used. Most modules declare all names: they are not walked a second time. */
function withMembers(names: UndeclaredName[], program: SyntaxNode): UndeclaredName[] {
  if (names.length === 0) return names;
  const members = new Map<number, readonly string[]>();
  walkSyntax(program, (node) => noteMembers(members, node));
  return names.map((name) => ({ ...name, members: members.get(name.start) }));
}

/** Keeps what follows the first name of `NAME.a["b"]("c")`. The walk meets the whole expression before its parts. */
function noteMembers(members: Map<number, readonly string[]>, node: SyntaxNode): void {
  if (node.type !== "MemberExpression" && node.type !== "CallExpression") return;
  const found: string[] = [];
  let at: SyntaxNode | undefined = node;
  for (let steps = 0; steps < MAX_STEPS && at !== undefined && at.type !== "Identifier"; steps += 1) {
    found.unshift(...namedBy(at));
    at = nextInChain(at);
  }
  if (at?.type === "Identifier" && !members.has(at.start)) members.set(at.start, found);
}

const CHAIN: Readonly<Record<string, string>> = {
  MemberExpression: "object",
  CallExpression: "callee",
  ChainExpression: "expression",
};

function nextInChain(node: SyntaxNode): SyntaxNode | undefined {
  const member = CHAIN[node.type];
  return member === undefined ? undefined : childNode(node, member);
}

/** The member that an expression reads, or the texts that a call passes. */
function namedBy(node: SyntaxNode): string[] {
  const property = childNode(node, "property");
  const named =
    node.type === "CallExpression"
      ? childNodes(node, "arguments").map(constantText)
      : [node["computed"] === true ? constantText(property) : nameOf(property)];
  return named.filter((name) => name !== undefined);
}

function open(parent: Scope, isFunction = false): Scope {
  return { parent, names: new Set(), isFunction };
}

function functionScope(scope: Scope): Scope {
  return scope.isFunction || scope.parent === undefined ? scope : functionScope(scope.parent);
}

function namesAround(scope: Scope): string[] {
  return [...scope.names, ...(scope.parent === undefined ? [] : namesAround(scope.parent))];
}

function enclosingPart(scope: Scope | undefined): string | undefined {
  return scope === undefined ? undefined : (scope.part?.path ?? enclosingPart(scope.parent));
}

/** The namespace whose object has that name at a place. */
function findPart(scope: Scope | undefined, parameter: string): string | undefined {
  if (scope === undefined) return undefined;
  return scope.part?.parameter === parameter ? scope.part.path : findPart(scope.parent, parameter);
}

interface NamespacePart {
  name: string;
  parameter: string;
  body: SyntaxNode;
}

/** `(function(_Api) { … })(Api || (Api = {}))`, what becomes of a part of `namespace Api`. */
function findNamespacePart(call: SyntaxNode): NamespacePart | undefined {
  const body = childNode(call, "callee");
  if (body?.type !== "FunctionExpression") return undefined;
  const [parameter, ...others] = childNodes(body, "params");
  const [value] = childNodes(call, "arguments");
  const name = nameOf(value === undefined ? undefined : childNode(value, "left"));
  const made = value === undefined ? undefined : childNode(value, "right");
  if (others.length > 0 || value?.type !== "LogicalExpression" || made?.type !== "AssignmentExpression")
    return undefined;
  const written = nameOf(parameter);
  if (name === undefined || written === undefined || nameOf(childNode(made, "left")) !== name) return undefined;
  return written.startsWith(`_${name}`) ? { name, parameter: written, body } : undefined;
}
