import { blankSpans, type TextSpan } from "./syntax-tree.ts";
import type { PlacedProblem } from "../modules/import-problem.ts";

/** Ends of lines that Rollup's parser does not know: it takes the next line for a part of a `//` comment. */
export const UNKNOWN_LINE_END = /\r(?!\n)|[\u2028\u2029]/;

/** The code with spaces for each `//` comment that ends with a line end other than `\n`. All else stays at its place. */
export async function blankComments(code: string): Promise<string> {
  if (!UNKNOWN_LINE_END.test(code)) return code;
  const { parse } = await import("acorn");
  const spans: TextSpan[] = [];
  const onComment = (isBlock: boolean, _text: string, start: number, end: number): void => {
    if (!isBlock && UNKNOWN_LINE_END.test(code.slice(end, end + 2))) spans.push({ start, end });
  };
  try {
    parse(code, { ecmaVersion: "latest", sourceType: "module", onComment });
  } catch {
    // The parser after this one says what is wrong.
  }
  return blankSpans(code, spans);
}

/** True for a text that is a module in JavaScript. Early errors that only an engine finds are not looked for. */
export async function isJavaScript(source: string): Promise<boolean> {
  const { parse } = await import("acorn");
  try {
    parse(source, { ecmaVersion: "latest", sourceType: "module" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds `<!--` among the operators of a module. The language reads `a < !(--b)` there, V8 refuses the text, and Rollup's parser takes the
 * rest of the line for a comment.
 */
export async function findLegacyComments(code: string): Promise<PlacedProblem[]> {
  if (!code.includes("<!--")) return [];
  const { parse } = await import("acorn");
  const problems: PlacedProblem[] = [];
  const onToken = ({ start, type }: { start: number; type: { label: string } }): void => {
    if (type.label === "</>/<=/>=" && code.startsWith("<!--", start)) problems.push({ ...LEGACY_COMMENT, start });
  };
  try {
    parse(code, { ecmaVersion: "latest", sourceType: "module", onToken });
  } catch {
    // Rollup's parser has read the text: what is left for acorn to refuse is refused by the engine.
  }
  return problems;
}

const LEGACY_COMMENT: Omit<PlacedProblem, "start"> = {
  code: "SYNTAX_ERROR",
  message: "`<!--` begins a legacy comment, which a module cannot have.",
  hint: "Put spaces between the operators, such as `< ! --`, or write the comment with `//`.",
};
