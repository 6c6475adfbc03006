import { childNode, childNodes, constantText, nameOf, type SyntaxNode } from "./syntax-tree.ts";

/** What is known of the exports of each module that was read, by id. */
export interface ModuleExports {
  /** `*` stands for those of other modules. */
  names: Map<string, readonly string[]>;
  /** The modules that one exports everything of. */
  stars: Map<string, readonly string[]>;
}

/** The specifiers that a module exports everything of: `export * from "…"`. */
export function findStarSources(program: SyntaxNode): string[] {
  return childNodes(program, "body").flatMap((statement) => {
    if (statement.type !== "ExportAllDeclaration" || childNode(statement, "exported") !== undefined) return [];
    return constantText(childNode(statement, "source")) ?? [];
  });
}

/** True for a module that has a default export, in whichever form. */
export function hasDefaultExport(program: SyntaxNode): boolean {
  return childNodes(program, "body").some(
    (statement) =>
      statement.type === "ExportDefaultDeclaration" ||
      nameOf(childNode(statement, "exported")) === "default" ||
      childNodes(statement, "specifiers").some((specifier) => nameOf(childNode(specifier, "exported")) === "default"),
  );
}

/** All names that a module exports, those of other modules among them. */
export function namesExportedBy(id: string, { names, stars }: ModuleExports): string[] {
  const seen = new Set([id]);
  const found = new Set(names.get(id));
  for (const module of seen) {
    for (const inner of stars.get(module) ?? []) {
      seen.add(inner);
      // `export *` leaves the default export out.
      for (const name of names.get(inner) ?? []) if (name !== "default") found.add(name);
    }
  }
  found.delete("*");
  return [...found];
}
