import { childNode, walkSyntax, type SyntaxNode } from "./syntax-tree.ts";

const LOOPS = new Set(["WhileStatement", "DoWhileStatement", "ForStatement"]);

/**
 * Rollup takes a loop that changes nothing for dead code, also where it never ends. A script that hangs must be seen to hang,
 * so the test of each loop is made to look as if it awaited something, which no bundler may drop.
 * Only the tree changes: what is printed comes from the text.
 */
export function keepLoops(program: SyntaxNode): void {
  walkSyntax(program, (node) => {
    if (!LOOPS.has(node.type)) return;
    const test = childNode(node, "test");
    const { start, end } = test ?? { start: node.start, end: node.start };
    const argument = test ?? { type: "Identifier", name: "undefined", start, end };
    node["test"] = { type: "AwaitExpression", start, end, argument };
  });
}
