import type MagicString from "magic-string";
import { printString } from "./refused-text.ts";
import type { SyntaxNode } from "../syntax/syntax-tree.ts";

/** True for the literal of a regular expression. */
export function isRegExp(node: SyntaxNode | undefined): boolean {
  return node?.type === "Literal" && node["regex"] !== undefined;
}

/**
 * Rewrites the literal of a regular expression as the call of a function that makes it. An escape in the literal would show in its
 * `source`; in a string it does not.
 *
 * @returns the declaration of the function
 */
export function lowerRegExp(literal: SyntaxNode, name: string, edited: MagicString): string {
  const { pattern, flags } = literal["regex"] as { pattern: string; flags: string };
  edited.overwrite(literal.start, literal.end, `(${name}())`);
  return `const ${name} = () => new RegExp(${printString(pattern)}, ${JSON.stringify(flags)});`;
}
