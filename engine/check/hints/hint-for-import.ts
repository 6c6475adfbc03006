import { nearestName } from "@codemode/runtime/nearest-name";
import { ts } from "../typescript.ts";
import type { HintContext } from "./hint-context.ts";

/** A type that a module does not export, or a module of types that cannot be had; values are the bundler's business. */
export function hintForImport({ node, checker }: HintContext): string {
  const declaration = ts.findAncestor(node, ts.isImportDeclaration);
  const module = declaration === undefined ? undefined : checker.getSymbolAtLocation(declaration.moduleSpecifier);
  if (module === undefined)
    return "Declare the type in the script: only @codemode/* modules and relative files can be imported.";
  const names = checker.getExportsOfModule(module).map((symbol) => symbol.name);
  const nearest = nearestName(node.getText(), names);
  return nearest === undefined ? "Declare the type in the script." : `Did you mean \`${nearest}\`?`;
}
