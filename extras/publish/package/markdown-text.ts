import { shortenText } from "../../../schemas/text/short-text.ts";
import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";

/** Words that readers make links or mentions of without any markup: with a scheme, an at sign, or the look of a domain. */
const LINKED = /:\/\/|@|\w\.\w|^(?:mailto|xmpp):/i;

/**
 * Untrusted text as one line of Markdown prose: plain words without markup, links or HTML, which fit a cell of a table.
 * @param length the most characters of it that are shown
 */
export function toMarkdownText(text: string, length = 200): string {
  const line = escapeInvisible(shortenText(text, length));
  return line
    .split(/\s+/)
    .map((word) => (LINKED.test(word) ? `\`${word.replace(/[`|\\]/g, "'")}\`` : word.replace(MARKUP, escapeMarkup)))
    .join(" ")
    .replace(/^(\d*)(?=[-+=.)])/, "$1\\");
}

/** A name as inline code; where code could not hold it, as prose. */
export function toMarkdownCode(text: string): string {
  const line = escapeInvisible(text).replace(/\s/g, " ");
  return /[`|\\]/.test(line) || line.trim() === "" ? toMarkdownText(text) : `\`${line}\``;
}

/** A block of code. The fence is longer than any row of backticks in it. */
export function toCodeBlock(language: string, code: string): string {
  const rows = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...rows.map((row) => row.length + 1)));
  return `${fence}${language}\n${escapeInvisible(code)}\n${fence}`;
}

const MARKUP = /[#$&*<>[\\\]_`|~]/g;

/** A numeric form where even a backslash does not help: some readers look for pipes and backticks first. */
function escapeMarkup(character: string): string {
  return /[\\`|]/.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`;
}
