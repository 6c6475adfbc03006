import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { childNode, childNodes, constantText, isSyntaxNode, nameOf, type SyntaxNode } from "../syntax/syntax-tree.ts";

/** A name that means nothing, or another thing than in TypeScript. */
export interface UndeclaredName {
  name: string;
  /** UTF-16 offset in the code. */
  start: number;
  /** The names that are declared around it. */
  inScope: readonly string[];
  /** The namespace that another part of exports it. */
  namespace?: string | undefined;
}

/** What a module refers to without declaring it. */
export interface FreeNames {
  undeclared: readonly UndeclaredName[];
  /** Members of `globalThis` that it names: where a script makes a global, its name is declared. */
  globals: ReadonlySet<string>;
}

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

/**
 * Finds the names of a module that neither it nor the sandbox declares, in the order of the source. A name that the module asks about with `typeof` is
 * its own affair. A name in one part of a TypeScript namespace that another part exports is found too: it is a member of the namespace there, which the
 * compiled code does not say.
 * @param known the names of the sandbox
 */
export function findFreeNames(program: SyntaxNode, known: ReadonlySet<string>): FreeNames {
  const references: Reference[] = [];
  const asked = new Set<string>();
  const globals = new Set<string>();
  const exportsOf = new Map<string, Set<string>>();

  const open = (parent: Scope, isFunction = false): Scope => ({ parent, names: new Set(), isFunction });
  const visitAll = (nodes: readonly SyntaxNode[], scope: Scope): void => {
    for (const node of nodes) visit(node, scope);
  };
  const visitBelow = (node: SyntaxNode, scope: Scope): void => {
    for (const member in node) {
      const value = node[member];
      if (typeof value !== "object" || value === null) continue;
      if (!Array.isArray(value)) {
        if (isSyntaxNode(value)) visit(value, scope);
      } else for (const child of value) if (isSyntaxNode(child)) visit(child, scope);
    }
  };
  const visitChild = (node: SyntaxNode, member: string, scope: Scope): void => {
    const child = childNode(node, member);
    if (child !== undefined) visit(child, scope);
  };
  /** Declares the names of a pattern; its keys and defaults are expressions. */
  const declare = (pattern: SyntaxNode | undefined, target: Scope, scope: Scope): void => {
    if (pattern === undefined) return;
    switch (pattern.type) {
      case "Identifier":
        target.names.add(pattern["name"] as string);
        return;
      case "ObjectPattern":
        for (const property of childNodes(pattern, "properties")) {
          if (property["computed"] === true) visitChild(property, "key", scope);
          declare(childNode(property, property.type === "Property" ? "value" : "argument"), target, scope);
        }
        return;
      case "ArrayPattern":
        for (const element of childNodes(pattern, "elements")) declare(element, target, scope);
        return;
      case "AssignmentPattern":
        declare(childNode(pattern, "left"), target, scope);
        return visitChild(pattern, "right", scope);
      case "RestElement":
        return declare(childNode(pattern, "argument"), target, scope);
    }
  };
  const visitFunction = (node: SyntaxNode, outer: Scope): void => {
    const scope = open(outer, true);
    if (node.type !== "ArrowFunctionExpression") scope.names.add("arguments");
    for (const parameter of childNodes(node, "params")) declare(parameter, scope, scope);
    const body = childNode(node, "body") as SyntaxNode;
    if (body.type === "BlockStatement") visitAll(childNodes(body, "body"), scope);
    else visit(body, scope);
  };
  const visitClass = (node: SyntaxNode, outer: Scope): void => {
    const scope = open(outer);
    declare(childNode(node, "id"), scope, scope);
    visitChild(node, "superClass", scope);
    visitChild(node, "body", scope);
  };
  const visitPart = (call: SyntaxNode, scope: Scope): boolean => {
    const part = findNamespacePart(call);
    if (part === undefined) return false;
    const path = [enclosingPart(scope), part.name].filter((name) => name !== undefined).join(".");
    visitAll(childNodes(call, "arguments"), scope);
    const inner = open(scope, true);
    inner.part = { path, parameter: part.parameter };
    inner.names.add(part.parameter);
    const exported = exportsOf.get(path) ?? new Set();
    exportsOf.set(path, exported);
    visitAll(childNodes(childNode(part.body, "body") as SyntaxNode, "body"), inner);
    return true;
  };

  function visit(node: SyntaxNode, scope: Scope): void {
    switch (node.type) {
      case "Identifier":
        references.push({ name: node["name"] as string, start: node.start, scope });
        return;
      case "Literal":
      case "ExportAllDeclaration":
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "TemplateElement":
        return;
      case "ImportDeclaration":
        for (const one of childNodes(node, "specifiers")) declare(childNode(one, "local"), scope, scope);
        return;
      case "ExportNamedDeclaration":
        return visitChild(node, "declaration", scope);
      case "VariableDeclaration": {
        const target = node["kind"] === "var" ? functionScope(scope) : scope;
        for (const one of childNodes(node, "declarations")) {
          declare(childNode(one, "id"), target, scope);
          visitChild(one, "init", scope);
        }
        return;
      }
      case "FunctionDeclaration":
        declare(childNode(node, "id"), scope, scope);
        return visitFunction(node, scope);
      case "FunctionExpression": {
        const named = open(scope);
        declare(childNode(node, "id"), named, named);
        return visitFunction(node, named);
      }
      case "ArrowFunctionExpression":
        return visitFunction(node, scope);
      case "ClassDeclaration":
        declare(childNode(node, "id"), scope, scope);
        return visitClass(node, scope);
      case "ClassExpression":
        return visitClass(node, scope);
      case "StaticBlock":
        return visitBelow(node, open(scope, true));
      case "BlockStatement":
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "SwitchStatement":
        return visitBelow(node, open(scope));
      case "CatchClause": {
        const inner = open(scope);
        declare(childNode(node, "param"), inner, inner);
        return visitChild(node, "body", inner);
      }
      case "MemberExpression": {
        const object = childNode(node, "object");
        const isComputed = node["computed"] === true;
        const member = isComputed ? childNode(node, "property") : undefined;
        noteMember(object, isComputed ? constantText(member) : nameOf(childNode(node, "property")), scope);
        if (object !== undefined) visit(object, scope);
        if (member !== undefined) visit(member, scope);
        return;
      }
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node["computed"] === true) visitChild(node, "key", scope);
        return visitChild(node, "value", scope);
      case "LabeledStatement":
        return visitChild(node, "body", scope);
      case "UnaryExpression": {
        const argument = childNode(node, "argument");
        if (node["operator"] !== "typeof" || argument?.type !== "Identifier") return visitBelow(node, scope);
        asked.add(argument["name"] as string);
        return;
      }
      case "CallExpression":
        if (!visitPart(node, scope)) visitBelow(node, scope);
        return;
      default:
        return visitBelow(node, scope);
    }
  }

  function noteMember(object: SyntaxNode | undefined, member: string | undefined, scope: Scope): void {
    if (object?.type !== "Identifier" || member === undefined) return;
    if (object["name"] === "globalThis") globals.add(member);
    const part = findPart(scope, object["name"] as string);
    if (part !== undefined) exportsOf.get(part)?.add(member);
  }

  const root: Scope = { parent: undefined, names: new Set(), isFunction: true };
  visitBelow(program, root);
  const undeclared: UndeclaredName[] = [];
  for (const { name, start, scope } of references) {
    let at: Scope | undefined = scope;
    let namespace: string | undefined;
    while (at !== undefined && !at.names.has(name)) {
      if (at.part !== undefined && exportsOf.get(at.part.path)?.has(name) === true) namespace ??= at.part.path;
      at = at.parent;
    }
    const isKnown = at !== undefined || known.has(name) || asked.has(name);
    if (isKnown && namespace === undefined) continue;
    undeclared.push({ name, start, inScope: namesAround(scope), ...withoutUndefined({ namespace }) });
  }
  return { undeclared, globals };
}

/** The names with the scopes that they have in another form of the same module. */
export function withScopesOf(other: FreeNames, { undeclared, globals }: FreeNames): FreeNames {
  const scopes = new Map(other.undeclared.map(({ name, inScope }) => [name, inScope]));
  return { globals, undeclared: undeclared.map((one) => ({ ...one, inScope: scopes.get(one.name) ?? one.inScope })) };
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
