import type MagicString from "magic-string";
import { printString } from "./refused-text.ts";
import { childNode, childNodes, type SyntaxNode } from "../syntax/syntax-tree.ts";

/**
 * Rewrites a tagged template as the call that it is. A tag sees the raw text of its template, so an escape in that text
 * would show; in a call, cooked and raw texts are ordinary strings.
 *
 * @returns the declaration of the template's object: one for each place in the code, as the language has it
 */
export function lowerTaggedTemplate(
  tagged: SyntaxNode,
  { name, constructed }: { name: string; constructed: boolean },
  edited: MagicString,
): string {
  const template = childNode(tagged, "quasi") as SyntaxNode;
  const quasis = childNodes(template, "quasis");
  if (constructed) edited.appendLeft(tagged.start, "(");
  quasis.forEach((quasi, index) => {
    const opening = index === 0 ? `(${name}` : ")";
    const isLast = index === quasis.length - 1;
    // Either the closing backquote, or `${` before the next hole.
    const end = isLast ? template.end : quasi.end + 2;
    edited.overwrite(quasi.start - 1, end, opening + (isLast ? ")" : ", ("));
  });
  if (constructed) edited.appendRight(tagged.end, ")");
  return `const ${name} = ${printTemplateObject(quasis.map((quasi) => quasi["value"] as TemplateText))};`;
}

interface TemplateText {
  /** Absent where the text holds an escape that means nothing, which a tag may see. */
  cooked?: string | null | undefined;
  raw: string;
}

function printTemplateObject(texts: readonly TemplateText[]): string {
  const cooked = texts.map((text) => (typeof text.cooked === "string" ? printString(text.cooked) : "undefined"));
  const raw = texts.map((text) => printString(text.raw));
  const freeze = "Object.freeze";
  return `${freeze}(Object.defineProperty([${cooked.join(", ")}], "raw", { value: ${freeze}([${raw.join(", ")}]) }))`;
}
