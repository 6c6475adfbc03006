import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { diffWordsWithSpace } from "diff";
import { type Change, CHANGE_SEVERITY_NAMES } from "../../schemas/diff/change.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { ServerLockFailure } from "../../library/index.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

/** Changes as lines for a terminal, graver ones marked. Texts come from servers: what is invisible is shown escaped. */
export function printChanges(changes: readonly ServerChange[]): string[] {
  return changes.flatMap((server) => [
    `${server.serverId}: ${server.kind}${server.kind === "changed" ? ` (${CHANGE_SEVERITY_NAMES[server.severity]})` : ""}`,
    ...server.changes.flatMap((change) => printChange(change).map((line) => `  ${line}`)),
  ]);
}

/** The same as Markdown, for a comment on a pull request; `failures` are servers that could not be compared. */
export function printChangesAsMarkdown(
  changes: readonly ServerChange[],
  failures: readonly ServerLockFailure[] = [],
): string {
  const sections = changes.map(({ serverId, kind, severity, changes: rows }) => {
    const title = `### \`${serverId}\`: ${kind}${kind === "changed" ? `, ${CHANGE_SEVERITY_NAMES[severity]}` : ""}`;
    const table = ["| change | what | where |", "| --- | --- | --- |", ...rows.map(printRow)];
    const texts = rows.filter(isTextDiff).map((change) => ["```diff", ...printSides(change), "```"].join("\n"));
    return [title, ...(rows.length === 0 ? [] : [table.join("\n")]), ...texts].join("\n\n");
  });
  if (failures.length > 0) sections.push(printFailureTable(failures));
  return sections.length === 0 ? "The servers match the lockfile." : sections.join("\n\n");
}

function printFailureTable(failures: readonly ServerLockFailure[]): string {
  const rows = failures.map(({ serverId, error }) => `| \`${serverId}\` | ${printCell(error.message)} |`);
  return ["### Not compared\n", "| server | why |", "| --- | --- |", ...rows].join("\n");
}

function printChange(change: Change): string[] {
  const head = `${CHANGE_SEVERITY_NAMES[change.severity]}: ${oneLine(change.summary)}  ${oneLine(change.pointer)}`;
  if (isTextDiff(change)) return [head, `    ${printWordDiff(String(change.before), String(change.after))}`];
  return [head, ...printVerdict(change), ...printSides(change).map((line) => `    ${line}`)];
}

/** What the project's policy makes of a change. */
function printVerdict({ verdict }: Change): string[] {
  if (verdict === undefined) return [];
  const { before, after } = verdict;
  return [`    the project's policy: ${before === after ? `${after}, as before` : `${before} → ${after}`}`];
}

function printRow(change: Change): string {
  const { severity, summary, pointer } = change;
  const verdict = printVerdict(change).map((line) => `; ${line.trim()}`);
  return `| ${CHANGE_SEVERITY_NAMES[severity]} | ${printCell(summary)}${verdict.join("")} | ${printCell(pointer)} |`;
}

/** Names of tools and properties are untrusted: as code they can be neither markup nor a mention of a user. */
function printCell(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

/** Old and new side, each on one line. */
function printSides({ before, after }: Change): string[] {
  return [
    ...(before === undefined ? [] : [`- ${printValue(before)}`]),
    ...(after === undefined ? [] : [`+ ${printValue(after)}`]),
  ];
}

function printValue(value: JsonValue): string {
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}

function isTextDiff({ before, after }: Change): boolean {
  return typeof before === "string" && typeof after === "string";
}

const LONGEST_UNCHANGED = 80;

/** Words taken out as `[-…-]` and put in as `{+…+}`, with long unchanged stretches cut short. */
function printWordDiff(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after).map(({ value, added, removed }) => {
    const text = printValue(value);
    if (added) return `{+${text}+}`;
    if (removed) return `[-${text}-]`;
    return text.length > LONGEST_UNCHANGED ? `${text.slice(0, 40)} … ${text.slice(-30)}` : text;
  });
  return parts.join("");
}
