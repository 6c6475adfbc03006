import { findDynamicMembers, staticMember } from "./dynamic-members.ts";
import {
  childNode,
  childNodes,
  constantText,
  isMemberName,
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
    for (const pattern of [...childNodes(node, member), childNode(node, member)]) {
      if (pattern === undefined) continue;
      walkSyntax(pattern, (part) => {
        if (part.type === "Identifier") declared.add(nameOf(part) ?? "");
      });
    }
  }
}
