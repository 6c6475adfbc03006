import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { type Change, CHANGE_SEVERITY_NAMES, describeVerdict, gravestFirst } from "../../schemas/diff/change.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { diffWordsWithSpace } from "diff";

/** Changes as lines for a terminal, the gravest server and change first. Texts come from servers: what is invisible is shown escaped. */
export function printChanges(changes: readonly ServerChange[]): string[] {
  return gravestFirst(changes).flatMap((server) => [
    `${server.serverId}: ${server.kind}${server.kind === "changed" ? ` (${CHANGE_SEVERITY_NAMES[server.severity]})` : ""}`,
    ...gravestFirst(server.changes).flatMap((change) => printChange(change).map((line) => `  ${line}`)),
  ]);
}

function printChange({ severity, summary, pointer, verdict, before, after }: Change): string[] {
  const head = `${CHANGE_SEVERITY_NAMES[severity]}: ${oneLine(summary)}  ${oneLine(pointer)}`;
  if (typeof before === "string" && typeof after === "string") return [head, `    ${printWordDiff(before, after)}`];
  const details = [
    ...(verdict === undefined ? [] : [`the project's policy: ${describeVerdict(verdict)}`]),
    ...(before === undefined ? [] : [`- ${printValue(before)}`]),
    ...(after === undefined ? [] : [`+ ${printValue(after)}`]),
  ];
  return [head, ...details.map((line) => `    ${line}`)];
}

function printValue(value: JsonValue): string {
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}

const LONGEST_UNCHANGED = 80;

/** Words taken out as `[-…-]` and put in as `{+…+}`, with long unchanged stretches cut short. */
function printWordDiff(before: string, after: string): string {
  const parts = compareWords(before, after).map(({ kind, text }) => {
    const shown = printValue(text);
    if (kind === "added") return `{+${shown}+}`;
    if (kind === "removed") return `[-${shown}-]`;
    return shown.length > LONGEST_UNCHANGED ? `${shown.slice(0, 40)} … ${shown.slice(-30)}` : shown;
  });
  return parts.join("");
}

/** A stretch of two texts: in both (`same`), or in one of them. */
export interface Stretch {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Beyond it two long texts of a hostile server would take minutes to compare. */
const MOST_EDITS = 500;

/** Compares two texts word by word; texts that have little in common are one stretch each. */
export function compareWords(before: string, after: string): Stretch[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return parts.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}
