import { escapeInvisible, oneLine, toEscape } from "../../schemas/json/escape-invisible.ts";

/** Letters of scripts that are written from right to left: on a line with other words they would change the order of those. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

const LONGEST_SPAN = 300;

/**
 * A text of a server as inline code, in which a forge renders neither markup nor links nor mentions. It is one line, and a fence of
 * backticks around it is longer than any inside.
 */
export function toCodeSpan(text: string, longest = LONGEST_SPAN): string {
  const line = oneLine(text).replace(RIGHT_TO_LEFT, toEscape);
  const shown = line.length > longest ? `${line.slice(0, longest)}…` : line;
  if (shown.trim() === "") return "(empty)";
  const runs = shown.match(/`+/g) ?? [];
  const fence = "`".repeat(runs.reduce((length, run) => Math.max(length, run.length), 0) + 1);
  const pad = runs.length === 0 ? "" : " ";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * A text of a server for the inside of `<pre>`, in which a forge looks for no mentions or references. ASCII punctuation and line breaks are
 * character references: as source they are markup of neither HTML nor Markdown.
 */
export function toHtmlText(text: string): string {
  return escapeInvisible(text.replaceAll("\r\n", "\n")).replace(
    /[\n\t!-'*+:<-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
