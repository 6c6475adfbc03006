import type { DefinitionChange } from "../diff/diff-lockfiles.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { type Change, CHANGE_SEVERITY_NAMES, describeVerdict, gravestFirst } from "../diff/change.ts";
import { oneLine } from "../json/escape-invisible.ts";
import { toSourceLiteral } from "../text/visible-text.ts";

/** What a person is asked before a script runs: may it call these tools, as often as it likes, in this run alone. With `call`, may it make this call. */
export interface ApprovalRequest {
  /** `RUN.NUMBER`, where the question waits in the log of a durable run: by it the question can be answered elsewhere too. */
  id?: string;
  /** Those of the manifest for which the policy says `ask`, sorted by server and tool; with `call` its tool alone. */
  tools: readonly ToolToApprove[];
  /** The script that calls them; absent where the question is about something else. */
  script?: ScriptToApprove;
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

/** A script as a person approves it, without the credentials of the configuration. All of it is the author's text. */
export interface ScriptToApprove {
  /** Its files, the main one first. Of a script that was bundled before, the program that runs. */
  files: readonly { name: string; code: string }[];
  /** The packages of others that are part of it, as `NAME@VERSION`. */
  packages: readonly string[];
  input: JsonValue;
  /** SHA-256 of the program that runs, as the audit log has it. */
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
 * may not answer it (`mayApprove` of an `Access`). `waiting`: it waits in the log of a durable run, which goes on when a person has answered.
 */
export type ApprovalVerdict = "granted" | "refused" | "closed" | "unavailable" | "reserved" | "waiting";

/**
 * How a person's approval is had: given beforehand by `--approve`, at a terminal, in a form of the client, in the page of `codemode ui`, by the operator over
 * HTTP, or by the function of a program.
 */
export type ApprovalWay = "flag" | "terminal" | "form" | "page" | "operator" | "callback";

/** How a person has answered: it goes along with the answer, from where that came from. */
export interface AnsweredBy {
  way: ApprovalWay;
  /** The key of the configuration whose token the operator has. */
  name?: string;
}

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
 * What a person decides about one call: it is made, with `forRun` also all later ones of its tool in this run; it is refused, and the
 * script gets the reason; it is made with another input; the script gets a result in its place.
 */
export type CallDecision = (
  | { verdict: "granted"; forRun?: boolean }
  | { verdict: "refused"; reason?: string }
  | { verdict: "changed"; input: JsonObject }
  | { verdict: "answered"; result: JsonValue }
) & {
  /** Unless given, what the one who asks says of all its answers. */
  by?: AnsweredBy;
};

/** What verifies the answers of the person at this account. */
export interface ApprovalKey {
  salt: string;
  /** Ed25519, as SubjectPublicKeyInfo in Base64. */
  publicKey: string;
  /** When the passphrase was set. */
  since: string;
}

/**
 * Puts a request to a person. A decision is an answer to a request with a `call`; a verdict answers each request.
 * @param inRun present where the script runs. `answered` settles when there is an answer, also from elsewhere: the request need not be shown any longer.
 */
export type Approve = (
  request: ApprovalRequest,
  inRun?: { answered?: Promise<unknown> | undefined },
) => Promise<ApprovalVerdict | CallDecision>;

/** What shows lines: as they are, on a terminal, in a page and in programs, or a client, which may show Markdown or HTML. */
export type LineChannel = "plain" | "markdown";

/**
 * The lines that a person is asked with: the tool, and how it differs from what is locked where no person has accepted it yet, as `codemode diff` shows that.
 * Names come from servers: in quotes and on one line they cannot imitate other text. Clients may show Markdown or HTML, and wrap lines: so of a name nothing
 * else than letters, digits and plain signs is shown as it is, and no two blanks.
 */
export function describeToolToApprove(
  { serverId, toolName, annotations = {}, change }: ToolToApprove,
  channel: LineChannel = "plain",
): string[] {
  const name = toSourceLiteral(`${serverId}/${toolName}`).replace(MISLEADING, toEscapes);
  const line = `- ${name}: ${claimsOf(annotations)}`;
  if (change === undefined) return [line];
  const what = change.kind === "added" ? "new" : `changed (${CHANGE_SEVERITY_NAMES[change.severity]})`;
  return [
    line,
    `  ${what} since the lockfile was written; in quotes, the server's words:`,
    ...gravestFirst(change.changes).flatMap((each) => describeChange(each, channel)),
  ];
}

function describeChange(
  { severity, summary, pointer, verdict, before, after }: Change,
  channel: LineChannel,
): string[] {
  const show = (text: string): string => text.replace(ESCAPED[channel], toEscapes);
  const quote = (value: unknown): string => show(toSourceLiteral(value));
  return [
    `  ${CHANGE_SEVERITY_NAMES[severity]}: ${show(oneLine(summary))} at ${show(oneLine(pointer))}`,
    ...(verdict === undefined ? [] : [`    the project's policy: ${describeVerdict(verdict)}`]),
    ...(before === undefined || before === "" ? [] : [`    before: ${quote(before)}`]),
    ...(after === undefined || after === "" ? [] : [`    now: ${quote(after)}`]),
  ];
}

/** What the annotations of a tool claim, in words. */
export function claimsOf(annotations: JsonObject): string {
  const claims = CLAIMS.filter(([hint]) => annotations[hint] === true).map(([, claim]) => claim);
  return claims.length === 0 ? "says nothing of its effects" : `says that it ${claims.join(", ")}`;
}

/** A name of a server, a tool or a script. */
export function quoteName(name: string): string {
  return toSourceLiteral(name).replace(MISLEADING, toEscapes);
}

/** A text that a script or a server has chosen. Commands and patterns stay readable. */
export function quoteText(text: string): string {
  return toSourceLiteral(text).replace(LINKING, toEscapes);
}

/**
 * Blanks that look like the one of the keyboard or like nothing, signs that are drawn over others, and more than two marks on a letter: with them a
 * text is pushed out of sight, or crossed out.
 */
const LOOK_ALIKES = String.raw`(?! )[\p{Zs}\u{2800}\u{fffc}\u{180e}]|[\p{Me}\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb]|(?<=\p{M}\p{M})\p{M}|(?<= ) `;

/** What makes links, pictures, code and elements. */
const LINKING = new RegExp(String.raw`[<>${"`"}]|\](?=\()|${LOOK_ALIKES}`, "gu");

const MISLEADING = new RegExp(String.raw`[^\p{L}\p{N} _\-./:,\\"]|${LOOK_ALIKES}`, "gu");

/** Sentences stay readable: only what makes links, pictures, code and elements is escaped. */
const MARKUP = new RegExp(String.raw`[<>[\]${"`"}*&|~#!]|${LOOK_ALIKES}`, "gu");

const ESCAPED: Readonly<Record<LineChannel, RegExp>> = { plain: new RegExp(LOOK_ALIKES, "gu"), markdown: MARKUP };

function toEscapes(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const CLAIMS = [
  ["readOnlyHint", "only reads"],
  ["destructiveHint", "may destroy"],
  ["idempotentHint", "can be repeated"],
  ["openWorldHint", "reaches the outside world"],
] as const;
