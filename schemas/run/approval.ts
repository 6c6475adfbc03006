import type { DefinitionChange } from "../diff/diff-lockfiles.ts";
import type { JsonObject } from "../json/json.ts";
import { type Change, CHANGE_SEVERITY_NAMES } from "../diff/change.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/** What a person is asked before a script runs: may it call these tools, as often as it likes, in this run alone. */
export interface ApprovalRequest {
  /** Those of the manifest for which the policy says `ask`, sorted by server and tool. */
  tools: readonly ToolToApprove[];
  /** Another question: may this be started from now on, on this account. One line for each, safe to be shown. Then there are no tools. */
  starts?: readonly string[];
  /**
   * Over the code of the bundle and its whole manifest: an approval is for exactly this script, which gets a process of its own. With
   * `starts`, over those.
   */
  digest: string;
}

/** A tool for which the policy says `ask`, with what its server claims of it. */
export interface ToolToApprove {
  serverId: string;
  toolName: string;
  annotations?: JsonObject;
  /** Set if no person has accepted it yet: how it differs from what is locked. An approval locks exactly this definition. */
  change?: DefinitionChange;
}

/**
 * `closed`: the question came back without an answer. `unavailable`: the client can show no question. `reserved`: the caller's client
 * may not answer it (`mayApprove` of an `Access`).
 */
export type ApprovalVerdict = "granted" | "refused" | "closed" | "unavailable" | "reserved";

export type Approve = (request: ApprovalRequest) => Promise<ApprovalVerdict>;

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
