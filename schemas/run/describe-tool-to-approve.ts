import type { ToolToApprove } from "./approval.ts";
import { type Change, CHANGE_SEVERITY_NAMES } from "../diff/change.ts";
import type { JsonObject } from "../json/json.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/**
 * The lines that a person is asked with: the tool, and how it differs from what is locked where no person has accepted it yet. Names come
 * from servers: in quotes and on one line they cannot imitate other text. Clients may show Markdown or HTML, and wrap lines: so nothing else
 * than letters, digits and plain signs is shown as it is, and no two blanks.
 */
export function describeToolToApprove({ serverId, toolName, annotations = {}, change }: ToolToApprove): string[] {
  const name = toSourceLiteral(`${serverId}/${toolName}`).replace(MISLEADING, toEscapes);
  const line = `- ${name}: ${claimsOf(annotations)}`;
  if (change === undefined) return [line];
  const what = change.kind === "added" ? "new" : `changed (${CHANGE_SEVERITY_NAMES[change.severity]})`;
  return [
    line,
    `  ${what} since the lockfile was written; in quotes, the server's words:`,
    ...change.changes.flatMap(describeChange),
  ];
}

function describeChange({ severity, summary, pointer, before, after }: Change): string[] {
  const quote = (value: unknown): string => toSourceLiteral(value).replace(MARKUP, toEscapes);
  return [
    `  ${CHANGE_SEVERITY_NAMES[severity]}: ${quote(summary)} at ${quote(pointer)}`,
    ...(before === undefined || before === "" ? [] : [`    before: ${quote(before)}`]),
    ...(after === undefined || after === "" ? [] : [`    now: ${quote(after)}`]),
  ];
}

/** What the annotations of a tool claim, in words. */
export function claimsOf(annotations: JsonObject): string {
  const claims = CLAIMS.filter(([hint]) => annotations[hint] === true).map(([, claim]) => claim);
  return claims.length === 0 ? "says nothing of its effects" : `says that it ${claims.join(", ")}`;
}

const MISLEADING = /[^\p{L}\p{N} _\-./:,\\"]|(?<= ) /gu;

/** Sentences stay readable: only what makes links, pictures, code and elements is escaped. */
const MARKUP = /[<>[\]`*&|~#!]|(?<= ) /gu;

function toEscapes(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const CLAIMS = [
  ["readOnlyHint", "only reads"],
  ["destructiveHint", "may destroy"],
  ["idempotentHint", "can be repeated"],
  ["openWorldHint", "reaches the outside world"],
] as const;
