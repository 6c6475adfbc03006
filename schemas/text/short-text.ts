import { isSurrogatePair } from "../json/utf8.ts";

/** More of a text is never looked at. */
const MAX_READ = 4000;

/**
 * What a text says in at most `length` characters and one line: all of it, else its first sentence, else its beginning.
 * The result is not yet safe to stand in a comment.
 */
export function shortenText(text: string, length: number): string {
  const line = cutText(text, MAX_READ).replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const sentence = firstSentence(line);
  if (sentence.length <= length) return sentence;
  const beginning = cutText(sentence, Math.max(0, length - 1));
  return `${beginning.replace(/ [^ ]{0,20}$/, "").trimEnd()}…`;
}

/** The first sentence of a text, where another one follows; else all of it. */
export function firstSentence(text: string): string {
  // Two letters before the full stop, so that "e.g." ends no sentence.
  const end = /[^.\s]{2}[.!?](?=\s)/.exec(text);
  return end === null ? text : text.slice(0, end.index + end[0].length);
}

function cutText(text: string, length: number): string {
  return text.slice(0, length > 0 && isSurrogatePair(text, length - 1) ? length - 1 : length);
}
