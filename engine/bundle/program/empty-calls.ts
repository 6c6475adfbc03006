import type { Plugin } from "rollup";
import { childNode, childNodes, walkSyntax, type SyntaxNode, toSyntax } from "../syntax/syntax-tree.ts";

const PROXY = /\bProxy\b/;

/** No arguments, as a list that is not empty. */
const NO_ARGUMENTS = "...[]";

/**
 * Writes calls without arguments otherwise in modules that name `Proxy`: the bundler breaks on a call of `Proxy` without any, under any name
 * that it follows. The language has such a call throw an error.
 */
export function fillEmptyCalls(isWhole: (id: string) => boolean): Plugin {
  return {
    name: "codemode-empty-calls",
    async transform(code, id) {
      if (!isWhole(id) || !PROXY.test(code)) return null;
      const { default: MagicString } = await import("magic-string");
      const edited = new MagicString(code);
      walkSyntax(toSyntax(this.parse(code)), (node) => {
        if (!/^(Call|New)Expression$/.test(node.type) || childNodes(node, "arguments").length > 0) return;
        if (hasArgumentList(code, node)) edited.appendLeft(node.end - 1, NO_ARGUMENTS);
        else edited.appendLeft(node.end, `(${NO_ARGUMENTS})`);
      });
      if (!edited.hasChanged()) return null;
      return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }) };
    },
  };
}

const COMMENTS = /\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|\/\/.*/g;

/** False for `new name`. What is called may stand in parentheses of its own. */
function hasArgumentList(code: string, node: SyntaxNode): boolean {
  if (node.type === "CallExpression") return true;
  return code.slice(childNode(node, "callee")?.end, node.end).replace(COMMENTS, "").includes("(");
}
