import { ts } from "../typescript.ts";

/** What a hint can be made of. */
export interface HintContext {
  file: ts.SourceFile;
  checker: ts.TypeChecker;
  /** The innermost node that the error covers. */
  node: ts.Node;
  /** The names of all locked tools, by server id. */
  exportNames: ReadonlyMap<string, readonly string[]>;
}

const MAX_SNIPPET = 60;

/** The source of a node where that is short, `value` otherwise. */
export function snippetOf(node: ts.Node, { file }: Pick<HintContext, "file">): string {
  const text = node.getText(file);
  return text.length <= MAX_SNIPPET && !text.includes("\n") ? text : "value";
}

/** The source of an expression in a form that a member can be read of. */
export function operandOf(node: ts.Expression, context: Pick<HintContext, "file">): string {
  const isSimple =
    ts.isIdentifier(node) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node);
  const text = snippetOf(node, context);
  return isSimple || text === "value" ? text : `(${text})`;
}
