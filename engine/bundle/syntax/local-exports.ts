import { type PlacedProblem, quote } from "../modules/import-problem.ts";
import { childNode, childNodes, nameOf, walkSyntax, type SyntaxNode } from "./syntax-tree.ts";

/** Finds names in `export { NAME }` that the module does not declare. Parsers know no variables, and Rollup looks at them only if a module asks. */
export function findUndeclaredExports(program: SyntaxNode): PlacedProblem[] {
  const exported = childNodes(program, "body").flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" && childNode(statement, "source") === undefined
      ? childNodes(statement, "specifiers")
      : [],
  );
  if (exported.length === 0) return [];
  const declared = findModuleNames(program);
  return exported.flatMap((specifier) => {
    const name = nameOf(childNode(specifier, "local")) ?? "";
    if (declared.has(name)) return [];
    return [
      {
        code: "SYNTAX_ERROR",
        message: `The module exports ${quote(name)} and does not declare it.`,
        hint: "Declare the variable, or leave it out of the export.",
        start: specifier.start,
      },
    ];
  });
}

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const CLASS = /^Class(Declaration|Expression)$/;

/** The names of a module's own scope: its imports and declarations, and each `var` that no function holds. */
function findModuleNames(program: SyntaxNode): Set<string> {
  const names = new Set<string>();
  const add = (pattern: SyntaxNode | undefined): void => {
    if (pattern !== undefined) addPatternNames(pattern, names);
  };
  for (const statement of childNodes(program, "body")) {
    for (const specifier of childNodes(statement, "specifiers")) {
      if (statement.type === "ImportDeclaration") add(childNode(specifier, "local"));
    }
    const declaration = childNode(statement, "declaration") ?? statement;
    if (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") {
      add(childNode(declaration, "id"));
    }
    for (const { id } of childNodes(declaration, "declarations")) add(id as SyntaxNode);
  }
  walkSyntax(program, (node) => {
    if (node.type === "VariableDeclaration" && node["kind"] === "var") {
      for (const { id } of childNodes(node, "declarations")) add(id as SyntaxNode);
    }
    return !FUNCTION.test(node.type) && !CLASS.test(node.type);
  });
  return names;
}

/** Adds the names that a pattern binds. */
function addPatternNames(pattern: SyntaxNode, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(nameOf(pattern) ?? "");
  const inner = {
    ObjectPattern: () => childNodes(pattern, "properties"),
    ArrayPattern: () => childNodes(pattern, "elements"),
    Property: () => [childNode(pattern, "value")],
    AssignmentPattern: () => [childNode(pattern, "left")],
    RestElement: () => [childNode(pattern, "argument")],
  }[pattern.type];
  for (const part of inner?.() ?? []) if (part !== undefined) addPatternNames(part, names);
}
