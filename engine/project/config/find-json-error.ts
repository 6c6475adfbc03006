import { withoutMark } from "../../../schemas/text/without-mark.ts";
import { parse, type ParseError, printParseErrorCode, visit } from "jsonc-parser";

/** Finds the first place where a text is no JSON: what is wrong, without a word of the text. Undefined where it is JSON. */
export function findJsonError(text: string): { words: string; line: number; column: number } | undefined {
  const errors: ParseError[] = [];
  parse(withoutMark(text), errors, { disallowComments: true });
  const [error] = errors;
  if (error === undefined) return undefined;
  const words = printParseErrorCode(error.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return { words, ...positionOf(withoutMark(text), error.offset) };
}

interface TextPosition {
  line: number;
  column: number;
}

/** The first key that an object of a JSON text has twice, with both places. */
export function findDoubleKey(text: string): { key: string; first: TextPosition; second: TextPosition } | undefined {
  const objects: Map<string, number>[] = [];
  let found: { key: string; first: TextPosition; second: TextPosition } | undefined;
  visit(text, {
    onObjectBegin: () => void objects.push(new Map()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(key, offset) {
      const keys = objects.at(-1);
      const before = keys?.get(key);
      if (before !== undefined) found ??= { key, first: positionOf(text, before), second: positionOf(text, offset) };
      keys?.set(key, offset);
    },
  });
  return found;
}

/** Both from 1. */
export function positionOf(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
