import { INVISIBLE, toEscape } from "../json/escape-invisible.ts";

/** Shows invisible characters as escapes (`\u200b`); line breaks become `\n`, tabs stay. */
function toVisibleText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(INVISIBLE, toEscape);
}

/** True where a text holds characters that a reader of it would not see. */
export function hasInvisibleText(text: string): boolean {
  return toVisibleText(text) !== text.replace(/\r\n?/g, "\n");
}

/** A value as JavaScript source of one line: JSON whose invisible characters are escaped. */
export function toSourceLiteral(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, toEscape);
}

/**
 * Text for the inside of a doc comment: it can neither end the comment nor begin a tag of it.
 * Trailing white space and blank lines around the text go, in linear time: a match begins where white space does.
 */
export function toCommentText(text: string): string {
  return toVisibleText(text)
    .replace(/\*\//g, "*\\/")
    .replace(/(^|[\s{])@(?=\w)/g, "$1\\@")
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .replace(/^\n+|(?<!\n)\n+$/g, "");
}

/** A text on one line: a space for each line break and the white space around it. Takes linear time. */
export function toOneLine(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, " ");
}
