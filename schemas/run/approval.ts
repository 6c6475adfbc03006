import type { DefinitionChange } from "../diff/diff-lockfiles.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { type Change, CHANGE_SEVERITY_NAMES } from "../diff/change.ts";
import { maskSecrets } from "../secrets/mask-secrets.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/** What a person is asked before a script runs: may it call these tools, as often as it likes, in this run alone. With `call`, may it make this call. */
export interface ApprovalRequest {
  /** Those of the manifest for which the policy says `ask`, sorted by server and tool; with `call` its tool alone. */
  tools: readonly ToolToApprove[];
  /** Another question, in the middle of a run: may this one call be made, for whose tool the policy says `askEach`. */
  call?: CallToApprove;
  /** Another question: may this be started from now on, on this account. One line for each, safe to be shown. Then there are no tools. */
  starts?: readonly string[];
  /**
   * Over the code of the bundle and its whole manifest: an approval is for exactly this script, which gets a process of its own. With
   * `starts`, over those; with `call`, over the definition of its tool and the whole input.
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

/** A call that waits for a person. It has passed every check of the host; nothing has been sent. */
export interface CallToApprove {
  /** Counts the calls of the run, from 1. */
  number: number;
  /** As it will be sent. */
  input: JsonObject;
  /** Of the calls that this run has made side by side for which a person is asked: the place of this one, from 1, and how many there are by now. */
  readonly position: number;
  readonly total: number;
  /** Where the script makes it, as `script.ts:LINE:COLUMN`: the sandbox says so, and nothing depends on it. */
  place?: string;
  /** What this run has called so far, by `SERVER/TOOL`, in the order of the first calls. */
  made: ReadonlyMap<string, number>;
  /** Set where the call was sent before, and its answer was lost: is it to be made again, or what was its result? A refusal stops the run. */
  isInDoubt?: true;
  /** Why the answer before this question could not be used: the changed input or the result does not fit its schema. */
  problem?: string;
}

/**
 * What a person decides about one call: it is made, and with `forRun` so are all later ones of its tool in this run; it is refused, and the
 * script gets the reason; it is made with another input; the script gets a result in its place.
 */
export type CallDecision =
  | { verdict: "granted"; forRun?: boolean }
  | { verdict: "refused"; reason?: string }
  | { verdict: "changed"; input: JsonObject }
  | { verdict: "answered"; result: JsonValue };

/** A decision is an answer to a request with a `call`; a verdict answers each request. */
export type Approve = (request: ApprovalRequest) => Promise<ApprovalVerdict | CallDecision>;

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

/** The lines that a person is asked with about one call. `isWhole` shows long arguments to their ends. */
export function describeCallToApprove({ tools, call }: ApprovalRequest, isWhole = false): string[] {
  if (call === undefined) return [];
  const { input, position, total, place, made, problem, isInDoubt } = call;
  const args = Object.entries(input).map(([name, value]) => describeArgument(name, value, isWhole));
  const hidden = isWhole ? 0 : Math.max(0, args.length - MOST_ARGUMENTS);
  const shown = hidden === 0 ? args : args.slice(0, MOST_ARGUMENTS);
  const calls = [...made].map(([name, count]) => `${quoteName(name)} ${count === 1 ? "once" : `${count} times`}`);
  return [
    ...(problem === undefined ? [] : [`The answer could not be used: ${quoteText(problem)}.`]),
    ...(isInDoubt === true ? IN_DOUBT : []),
    ...tools.flatMap(describeToolToApprove),
    ...(args.length === 0 ? ["  without arguments"] : shown),
    ...(hidden === 0 ? [] : [`  … and ${hidden} more arguments`]),
    ...(place === undefined ? [] : [`  in the script at ${quoteName(place)}`]),
    `  so far this run has called ${calls.length === 0 ? "nothing" : calls.slice(0, MOST_MADE).join(", ")}${calls.length > MOST_MADE ? ", …" : ""}`,
    ...(total === 1 ? [] : [`  call ${position} of ${total}`]),
  ];
}

/** Whether `describeCallToApprove` leaves something out unless it shows the whole. */
export function isShortened(request: ApprovalRequest): boolean {
  return describeCallToApprove(request).join("\n") !== describeCallToApprove(request, true).join("\n");
}

const IN_DOUBT = [
  "codemode was ended while this call was under way. Look whether the server has done it.",
  "Allow it if not: it is made again. If so, answer with its result. Refuse it to stop the run.",
];

const MOST_ARGUMENTS = 30;
const MOST_MADE = 10;
const LONGEST_ARGUMENT = 400;
/** A path or an address is decided by its end: it is shown whole up to this. */
const LONGEST_PLACE = 4096;
/** No person reads more, and a script must not choose how long the host looks for secrets. */
const LONGEST_SHOWN = 200_000;

function describeArgument(name: string, value: JsonValue, isWhole: boolean): string {
  const length = typeof value === "string" ? value.length : JSON.stringify(value).length;
  if (length > LONGEST_SHOWN) return `  ${quoteText(name)}: ${length} characters, more than can be shown`;
  const text = typeof value === "string" ? toSourceLiteral(maskSecrets(value, name)) : maskedJson(name, value);
  const isPlace = typeof value === "string" && /[/\\]/.test(value) && !/\s/.test(value);
  const most = isWhole ? Infinity : isPlace ? LONGEST_PLACE : LONGEST_ARGUMENT;
  const shown = text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
  return `  ${quoteText(name)}: ${shown.replace(LINKING, toEscapes)}`;
}

/** The JSON of a value, with `…` in the place of what looks like a secret in one of its texts. */
function maskedJson(name: string, value: JsonValue): string {
  return toSourceLiteral(
    JSON.parse(
      JSON.stringify(value, (key, member: JsonValue) =>
        typeof member === "string" ? maskSecrets(member, /^\d*$/.test(key) ? name : key) : member,
      ),
    ),
  );
}

function quoteName(name: string): string {
  return toSourceLiteral(name).replace(MISLEADING, toEscapes);
}

function quoteText(text: string): string {
  return toSourceLiteral(text).replace(LINKING, toEscapes);
}

/** What makes links, pictures, code and elements, and blanks that are not shown. Commands and patterns stay readable. */
const LINKING = /[<>`]|\](?=\()|(?<= ) /g;

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
