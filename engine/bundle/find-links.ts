import { hasDefaultExport } from "./syntax/exported-names.ts";
import { childNode, childNodes, isMemberName, nameOf, walkSyntax, type SyntaxNode } from "./syntax/syntax-tree.ts";

/** A name that a script imports. */
export interface ImportedName {
  specifier: string;
  imported: string;
  local: string;
  isUsed: boolean;
}

type Import = Omit<ImportedName, "isUsed">;

/** What has to be known of a script to link it as it is. */
interface ScriptLinks {
  links: readonly ImportedName[];
  /** The variable that holds its default export; undefined where it has none. */
  result: string | undefined;
}

/** The variable of a default export that is an expression. It is as short as what it replaces: `export default`. */
export const DEFAULT_VARIABLE = "__default__";

/**
 * Finds what a script refers to of its imports. Undefined for any script that takes more than its text: where a name could mean two things, or
 * the language has a rule for a module that it does not have for a function.
 * @param reserved names that the program has for itself
 */
export function findLinks(program: SyntaxNode, reserved: ReadonlySet<string>): ScriptLinks | undefined {
  const imported = new Map<string, Import>();
  for (const statement of childNodes(program, "body")) {
    if (statement.type === "ImportDeclaration" && !addImports(statement, imported)) return undefined;
  }
  const names = collectNames(program);
  if (names === undefined) return undefined;
  const { declared, constants, assigned, referred, exported } = names;
  const isImported = (name: string): boolean => imported.has(name);
  const all = [...declared, ...assigned, ...exported];
  if (all.some(isImported) || [...assigned].some((name) => constants.has(name))) return undefined;
  if ([...all, ...referred].some((name) => reserved.has(name))) return undefined;
  // What the last line of the program reads.
  if (["globalThis", "undefined"].some((name) => declared.has(name) || imported.has(name))) return undefined;
  if (hasDoubles(program, names)) return undefined;
  const result = hasDefaultExport(program) ? findResult(program) : undefined;
  if (hasDefaultExport(program) && result === undefined) return undefined;
  return { links: [...imported.values()].map((link) => ({ ...link, isUsed: referred.has(link.local) })), result };
}

/** Adds `import { a, b as c } from "specifier"`; false for every other form. */
function addImports(statement: SyntaxNode, imported: Map<string, Import>): boolean {
  const specifier = childNode(statement, "source")?.["value"];
  if (typeof specifier !== "string" || childNodes(statement, "attributes").length > 0) return false;
  const specifiers = childNodes(statement, "specifiers");
  if (specifiers.length === 0) return false;
  for (const one of specifiers) {
    const local = nameOf(childNode(one, "local"));
    // A default import and a namespace have none.
    const name = nameOf(childNode(one, "imported"));
    if (local === undefined || name === undefined || name === "default" || imported.has(local)) return false;
    imported.set(local, { specifier, imported: name, local });
  }
  return true;
}

/** The names of a script by what it does with them, wherever they stand: those of inner scopes are among them. */
interface ScriptNames {
  declared: Set<string>;
  /** Of them, those of `const`, and those of `var`. */
  constants: Set<string>;
  hoisted: Set<string>;
  assigned: Set<string>;
  referred: Set<string>;
  /** Variables that an export list names. */
  exported: Set<string>;
}

/** Syntax that means something else in a module than in a function, or that the bundler has to look into. */
const UNLINKABLE = new Set(["MetaProperty", "ImportExpression", "ExportAllDeclaration"]);

/** By type of node, the members that hold what it declares. A label is no variable, but looks like one. */
const DECLARING: Record<string, readonly string[]> = {
  VariableDeclarator: ["id"],
  FunctionDeclaration: ["id", "params"],
  FunctionExpression: ["id", "params"],
  ArrowFunctionExpression: ["params"],
  ClassDeclaration: ["id"],
  ClassExpression: ["id"],
  CatchClause: ["param"],
  LabeledStatement: ["label"],
};

const ASSIGNING: Record<string, string> = {
  AssignmentExpression: "left",
  ForInStatement: "left",
  ForOfStatement: "left",
  UpdateExpression: "argument",
};

function collectNames(program: SyntaxNode): ScriptNames | undefined {
  const names: ScriptNames = {
    declared: new Set(),
    constants: new Set(),
    hoisted: new Set(),
    assigned: new Set(),
    referred: new Set(),
    exported: new Set(),
  };
  let isLinkable = true;
  walkSyntax(program, (node, parent) => {
    const { type } = node;
    if (UNLINKABLE.has(type) || (type === "ExportNamedDeclaration" && childNode(node, "source") !== undefined))
      isLinkable = false;
    if (!isLinkable || type === "ImportDeclaration") return false;
    if (type === "ExportSpecifier") {
      names.exported.add(nameOf(childNode(node, "local")) ?? "");
      return false;
    }
    for (const member of DECLARING[type] ?? []) {
      for (const pattern of [...childNodes(node, member), childNode(node, member)]) addNames(pattern, names.declared);
    }
    const ofKind = { const: names.constants, var: names.hoisted }[String(node["kind"])];
    if (type === "VariableDeclaration" && ofKind !== undefined) {
      for (const one of childNodes(node, "declarations")) addNames(childNode(one, "id"), ofKind);
    }
    const target = ASSIGNING[type];
    if (target !== undefined) addNames(childNode(node, target), names.assigned);
    if (type === "Identifier" && !isMemberName(parent)) names.referred.add(nameOf(node) ?? "");
    return true;
  });
  return isLinkable ? names : undefined;
}

/** All names in a pattern, those of its default values too: rather too many than too few. A declaration in a loop is its own. */
function addNames(pattern: SyntaxNode | undefined, names: Set<string>): void {
  if (pattern === undefined || pattern.type === "VariableDeclaration" || pattern.type === "MemberExpression") return;
  walkSyntax(pattern, (part, parent) => {
    if (part.type === "Identifier" && !isMemberName(parent)) names.add(nameOf(part) ?? "");
  });
}

/** True where a function of the module has a name that is there twice, or something is exported twice: a function may have both. */
function hasDoubles(program: SyntaxNode, { hoisted }: ScriptNames): boolean {
  const functions: string[] = [];
  const exported: string[] = [];
  for (const statement of childNodes(program, "body")) {
    const declaration = childNode(statement, "declaration");
    const { type } = declaration ?? statement;
    const id = nameOf(childNode(declaration ?? statement, "id"));
    if (type === "FunctionDeclaration" && id !== undefined) functions.push(id);
    if (statement.type === "ExportDefaultDeclaration") exported.push("default");
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const one of childNodes(statement, "specifiers")) exported.push(nameOf(childNode(one, "exported")) ?? "");
    const declared = new Set(id === undefined ? [] : [id]);
    for (const one of childNodes(declaration ?? statement, "declarations")) addNames(childNode(one, "id"), declared);
    exported.push(...declared);
  }
  const areSingle = (names: readonly string[]): boolean => new Set(names).size === names.length;
  return !areSingle(functions) || !areSingle(exported) || functions.some((name) => hoisted.has(name));
}

/** The variable that holds the default export. Undefined for a function or class without a name: the language gives it one. */
function findResult(program: SyntaxNode): string | undefined {
  for (const statement of childNodes(program, "body")) {
    const declaration = childNode(statement, "declaration");
    if (statement.type === "ExportDefaultDeclaration" && declaration !== undefined) {
      const name = nameOf(childNode(declaration, "id"));
      const isFunctionLike = /^(ArrowFunctionExpression|(Function|Class)(Declaration|Expression))$/.test(
        declaration.type,
      );
      if (isFunctionLike && name === undefined) return undefined;
      return declaration.type.endsWith("Declaration") ? name : DEFAULT_VARIABLE;
    }
    for (const specifier of childNodes(statement, "specifiers")) {
      if (nameOf(childNode(specifier, "exported")) === "default") return nameOf(childNode(specifier, "local"));
    }
  }
  return undefined;
}
