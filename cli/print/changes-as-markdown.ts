import type { ServerLockFailure } from "../../library/index.ts";
import { type Change, CHANGE_SEVERITY_NAMES, describeVerdict, gravestFirst } from "../../schemas/diff/change.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { compareWords, type Stretch } from "./print-changes.ts";
import { escapeInvisible, oneLine, toEscape } from "../../schemas/json/escape-invisible.ts";

/** Forges refuse a comment of more than 65,536 characters; the rest is for what a caller writes around the changes. */
const LONGEST_PAGE = 56_000;
const LONGEST_VALUE = 400;
/** Characters of one side of a text, before they are escaped. */
const LONGEST_TEXT = 2000;
const LONGEST_UNCHANGED = 300;

/**
 * Changes as Markdown for a comment on a pull request: the gravest server and change first, texts side by side. Everything that comes from a
 * server is inside of code or of escaped HTML. `failures` are servers that could not be compared.
 */
export function printChangesAsMarkdown(
  changes: readonly ServerChange[],
  failures: readonly ServerLockFailure[] = [],
): string {
  const blocks = [
    ...(failures.length === 0 ? [] : [() => printFailures(failures)]),
    ...gravestFirst(changes).flatMap(planServer),
  ];
  return blocks.length === 0 ? "The servers match the lockfile." : joinBlocks(blocks);
}

/** A block is printed if the page has room for it: each compares texts, and a server may have changed thousands. */
type Block = () => string;

function joinBlocks(blocks: readonly Block[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const print of blocks) {
    const block = print();
    length += block.length + 2;
    if (length > LONGEST_PAGE) break;
    kept.push(block);
  }
  const left = blocks.length - kept.length;
  if (left > 0) kept.push(`**This is not all:** ${left} more entries do not fit here. \`codemode diff\` prints them.`);
  return kept.join("\n\n");
}

function planServer({ serverId, kind, severity, changes }: ServerChange): Block[] {
  const title = `### \`${serverId}\`: ${kind}${kind === "changed" ? `, ${CHANGE_SEVERITY_NAMES[severity]}` : ""}`;
  const [first, ...rest] = gravestFirst(changes);
  if (first === undefined) return [() => title];
  return [() => `${title}\n\n${printChange(first)}`, ...rest.map((change) => () => printChange(change))];
}

function printChange(change: Change): string {
  const { severity, summary, pointer, before, after, verdict } = change;
  const policy = verdict === undefined ? "" : `; the project's policy: **${describeVerdict(verdict)}**`;
  const head = `- **${CHANGE_SEVERITY_NAMES[severity]}**: ${toCodeSpan(summary)} at ${toCodeSpan(pointer)}${policy}`;
  if (isText(before) && isText(after)) return `${head}\n\n${printSideBySide(before ?? "", after ?? "")}`;
  return [head, ...printSide("was", before), ...printSide("now", after)].join("\n");
}

/** A missing side counts, so that the description of a tool that is added or removed is shown as text too. */
function isText(side: JsonValue | undefined): side is string | undefined {
  return side === undefined || typeof side === "string";
}

function printSide(label: string, value: JsonValue | undefined): string[] {
  return value === undefined ? [] : [`  - ${label} ${toCodeSpan(JSON.stringify(value), LONGEST_VALUE)}`];
}

/** An HTML table of one line, so that no line of a text begins a block of Markdown. */
function printSideBySide(before: string, after: string): string {
  const stretches = before === "" || after === "" ? wholeSides(before, after) : compareWords(before, after);
  const cells = [printCell(stretches, "removed", "del"), printCell(stretches, "added", "ins")];
  return `<table><tr><th>locked</th><th>now</th></tr><tr>${cells.join("")}</tr></table>`;
}

function wholeSides(before: string, after: string): Stretch[] {
  return [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
}

/** One side: what it shares with the other, and what only it has, marked. */
function printCell(stretches: readonly Stretch[], own: Stretch["kind"], mark: string): string {
  let room = LONGEST_TEXT;
  let cut = 0;
  const parts = stretches.flatMap(({ kind, text }) => {
    if (kind !== "same" && kind !== own) return [];
    const short = kind === "same" && text.length > LONGEST_UNCHANGED ? shorten(text) : text;
    const shown = short.slice(0, room);
    room -= shown.length;
    cut += short.length - shown.length;
    const html = toHtmlText(shown);
    return html === "" ? [] : [kind === "same" ? html : `<${mark}>${html}</${mark}>`];
  });
  const rest = cut === 0 ? "" : `${cut} more characters`;
  return `<td><pre>${parts.join("")}</pre>${rest}</td>`;
}

function shorten(text: string): string {
  return `${text.slice(0, 120)} … ${text.slice(-120)}`;
}

function printFailures(failures: readonly ServerLockFailure[]): string {
  const rows = failures.map(({ serverId, error }) => `- \`${serverId}\`: ${toCodeSpan(error.message)}`);
  return ["### Not compared", rows.join("\n")].join("\n\n");
}

/** Letters of scripts that are written from right to left: on a line with other words they would change the order of those. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

const LONGEST_SPAN = 300;

/**
 * A text of a server as inline code, in which a forge renders neither markup nor links nor mentions. It is one line, and a fence of
 * backticks around it is longer than any inside.
 */
function toCodeSpan(text: string, longest = LONGEST_SPAN): string {
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
function toHtmlText(text: string): string {
  return escapeInvisible(text.replaceAll("\r\n", "\n")).replace(
    /[\n\t!-'*+:<-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
