import { isMemberName, walkSyntax, type SyntaxNode } from "../syntax/syntax-tree.ts";

/** A name of the same length, so that the tree and all places stay right. */
const UNDEFINED = "undefined";

/**
 * A module has no `arguments` outside of its functions, and a bundle is a function: there the name reads `undefined`, as every name does
 * that is nowhere. Changes the tree too.
 *
 * @returns the code
 */
export function hideArguments(code: string, program: SyntaxNode): string {
  if (!code.includes("arguments")) return code;
  const offsets: number[] = [];
  walkSyntax(program, (node, parent) => {
    if (["FunctionDeclaration", "FunctionExpression"].includes(node.type)) return false;
    // Of `{ arguments }` key and value are one text.
    if (node.type === "Property" && node["shorthand"] === true) return false;
    if (node.type !== "Identifier" || node["name"] !== "arguments" || isMemberName(parent)) return true;
    node["name"] = UNDEFINED;
    offsets.push(node.start);
    return true;
  });
  return offsets.reduce(
    (text, offset) => text.slice(0, offset) + UNDEFINED + text.slice(offset + UNDEFINED.length),
    code,
  );
}
