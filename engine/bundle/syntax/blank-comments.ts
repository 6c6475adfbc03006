import { blankSpans, type TextSpan } from "./syntax-tree.ts";

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
