import { hintForUndeclared } from "../../bundle/names/hint-for-undeclared.ts";
import { ts } from "../typescript.ts";
import type { HintContext } from "./hint-context.ts";

/** A name that is nowhere declared. */
export function hintForName({ node, checker, exportNames }: HintContext): string {
  const name = ts.isIdentifier(node) ? node.text : node.getText();
  const meaning = ts.isTypeNode(node.parent) ? ts.SymbolFlags.Type : ts.SymbolFlags.Value;
  const inScope = checker.getSymbolsInScope(node, meaning | ts.SymbolFlags.Alias).map((symbol) => symbol.name);
  return hintForUndeclared(name, inScope, exportNames);
}
