import {
  childNode,
  childNodes,
  constantText,
  isMemberName,
  isSyntaxNode,
  nameOf,
  walkSyntax,
  type SyntaxNode,
} from "./syntax-tree.ts";

/** Everything that one module wants from one specifier. */
export interface ImportUse {
  specifier: string;
  /** Offset of the specifier's first occurrence. */
  start: number;
  /** Names that the module asks for by name, each with its offset. */
  names: Map<string, number>;
  /** Members that are read of a namespace or of a dynamic import. Shadowing is not looked at: there may be a few too many. */
  members: Set<string>;
  /** True where a namespace escapes, so that any export may be used. */
  whole: boolean;
}

/** What a module imports, and the ways to import that the sandbox does not have. */
export interface ModuleImports {
  uses: ImportUse[];
  /** Offsets of `import(…)` whose specifier is not a constant. */
  computed: number[];
  /** `require(…)`, with the specifier where it is a constant. */
  requires: { start: number; specifier: string | undefined }[];
  /** Offsets of assignments to `module.exports` or `exports.name`. */
  commonJsExports: number[];
}

/** Collects the imports of a module from its syntax tree. */
export function findImports(program: SyntaxNode): ModuleImports {
  const uses = new Map<string, ImportUse>();
  const namespaces = new Map<string, ImportUse>();
  const found: ModuleImports = { uses: [], computed: [], requires: [], commonJsExports: [] };
  const declared = new Set<string>();
  const dynamicMembers = new Map<SyntaxNode, readonly string[]>();

  walkSyntax(program, (node) => {
    addDeclaredNames(node, declared);
    const dynamic = findDynamicMembers(node);
    if (dynamic !== undefined) dynamicMembers.set(dynamic.imported, dynamic.members);
    const source = childNode(node, "source");
    if (source === undefined) return;
    const specifier = constantText(source);
    if (specifier === undefined) {
      if (node.type === "ImportExpression") found.computed.push(node.start);
      return;
    }
    const use = uses.get(specifier) ?? {
      specifier,
      start: source.start,
      names: new Map(),
      members: new Set(),
      whole: false,
    };
    uses.set(specifier, use);
    const members = dynamicMembers.get(node);
    if (members === undefined) addUse(node, use, namespaces);
    else for (const member of members) use.members.add(member);
  });

  walkSyntax(program, (node, parent) => {
    if (node.type === "CallExpression") addRequire(node, declared, found);
    if (node.type === "AssignmentExpression" && isCommonJsExport(childNode(node, "left"), declared)) {
      found.commonJsExports.push(node.start);
    }
    const use = node.type === "Identifier" && !isMemberName(parent) ? namespaces.get(nameOf(node) ?? "") : undefined;
    if (use === undefined || parent?.node.type === "ImportNamespaceSpecifier") return;
    const member = parent?.node.type === "MemberExpression" ? staticMember(parent.node) : undefined;
    if (member === undefined) use.whole = true;
    else use.members.add(member);
  });

  found.uses = [...uses.values()];
  return found;
}

/** Notes what one import or re-export takes. */
function addUse(node: SyntaxNode, use: ImportUse, namespaces: Map<string, ImportUse>): void {
  if (node.type === "ImportExpression" || node.type === "ExportAllDeclaration") use.whole = true;
  for (const specifier of childNodes(node, "specifiers")) {
    const local = childNode(specifier, "local");
    if (specifier.type === "ImportNamespaceSpecifier") {
      namespaces.set(nameOf(local) ?? "", use);
    } else if (specifier.type === "ImportDefaultSpecifier") {
      use.names.set("default", specifier.start);
    } else {
      const taken = specifier.type === "ImportSpecifier" ? childNode(specifier, "imported") : local;
      use.names.set(nameOf(taken) ?? "", specifier.start);
    }
  }
}

function addRequire(call: SyntaxNode, declared: ReadonlySet<string>, found: ModuleImports): void {
  if (nameOf(childNode(call, "callee")) !== "require" || declared.has("require")) return;
  found.requires.push({ start: call.start, specifier: constantText(childNodes(call, "arguments")[0]) });
}

/** True for `module.exports`, `module.exports.name` and `exports.name`, where they are not variables of the module. */
function isCommonJsExport(target: SyntaxNode | undefined, declared: ReadonlySet<string>): boolean {
  if (target?.type !== "MemberExpression") return false;
  const object = childNode(target, "object");
  if (object?.type === "MemberExpression") return isCommonJsExport(object, declared);
  const name = nameOf(object) ?? "";
  if (declared.has(name)) return false;
  return name === "exports" || (name === "module" && staticMember(target) === "exports");
}

/** The members of declaring nodes that hold the declared names. */
const DECLARING_MEMBERS = ["id", "param", "params", "local"];

function addDeclaredNames(node: SyntaxNode, declared: Set<string>): void {
  for (const member of DECLARING_MEMBERS) {
    const patterns = node[member];
    if (patterns === undefined) continue;
    for (const pattern of [patterns].flat().filter(isSyntaxNode)) {
      walkSyntax(pattern, (part) => {
        if (part.type === "Identifier") declared.add(nameOf(part) ?? "");
      });
    }
  }
}

/**
 * The dynamic import in a node of which the node reads some members and no others, with their names: `const { a } = await import("…")`,
 * `(await import("…")).a` and `import("…").then(({ a }) => …)`. Undefined for other nodes.
 */
function findDynamicMembers(node: SyntaxNode): { imported: SyntaxNode; members: string[] } | undefined {
  const [source, target] = sourceAndTarget(node);
  const members = source?.type === "ImportExpression" ? membersOf(target) : undefined;
  return source === undefined || members === undefined ? undefined : { imported: source, members };
}

/** What a module may come from, and what is read of it. */
function sourceAndTarget(node: SyntaxNode): [source: SyntaxNode | undefined, target: SyntaxNode | undefined] {
  if (node.type === "VariableDeclarator") return [awaited(childNode(node, "init")), childNode(node, "id")];
  if (node.type === "MemberExpression") return [awaited(childNode(node, "object")), node];
  const callee = node.type === "CallExpression" ? childNode(node, "callee") : undefined;
  if (callee?.type !== "MemberExpression" || staticMember(callee) !== "then") return [undefined, undefined];
  const [handler] = childNodes(node, "arguments");
  const isArrow = handler?.type === "ArrowFunctionExpression";
  return [childNode(callee, "object"), isArrow ? childNodes(handler, "params")[0] : undefined];
}

function awaited(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.type === "AwaitExpression" ? childNode(node, "argument") : undefined;
}

/** The members that a pattern or an expression takes; undefined where they are not known, or all are taken. */
function membersOf(target: SyntaxNode | undefined): string[] | undefined {
  if (target?.type === "MemberExpression") {
    const member = staticMember(target);
    return member === undefined ? undefined : [member];
  }
  if (target?.type !== "ObjectPattern") return undefined;
  const members = childNodes(target, "properties").map((property) =>
    property.type === "Property" ? staticName(childNode(property, "key"), property) : undefined,
  );
  const known = members.filter((member) => member !== undefined);
  return known.length === members.length ? known : undefined;
}

/** The member that `object.name` or `object["name"]` reads. */
function staticMember(member: SyntaxNode): string | undefined {
  return staticName(childNode(member, "property"), member);
}

function staticName(key: SyntaxNode | undefined, { computed }: SyntaxNode): string | undefined {
  return computed === true ? constantText(key) : nameOf(key);
}
