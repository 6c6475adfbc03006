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
  // Two letters before the full stop, so that "e.g." ends no sentence.
  const sentence = /^.*?[^.\s]{2}[.!?](?= )/.exec(line)?.[0] ?? line;
  if (sentence.length <= length) return sentence;
  const beginning = cutText(sentence, Math.max(0, length - 1));
  return `${beginning.replace(/ [^ ]{0,20}$/, "").trimEnd()}…`;
}

function cutText(text: string, length: number): string {
  return text.slice(0, length > 0 && isSurrogatePair(text, length - 1) ? length - 1 : length);
}
