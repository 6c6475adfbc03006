import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";

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

/** Both from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** A byte order mark is no part of the first line. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
