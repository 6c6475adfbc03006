import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { toSourceLiteral } from "../text/visible-text.ts";
import {
  type ApprovalRequest,
  type CallToApprove,
  describeToolToApprove,
  type LineChannel,
  quoteName,
  quoteText,
} from "./approval.ts";

// What a person reads about one call. Who decides about it sees all that it acts on: nothing is left out because it looks like a secret.

/** What a question about a call needs beside it. */
export interface CallView {
  /** The names that the schema of the tool declares, in its order: a script may give any others beside them. */
  parameters: readonly string[];
  /** The parts of a text: a credential of the configuration is one, by its name. */
  split: (text: string) => readonly TextPart[];
  /** Of the tool: it names the arguments that a person may change. */
  inputSchema?: JsonValue | undefined;
  /** Why this input, which a person has made of the other one, cannot be what they mean. */
  findMistake?: (before: JsonObject, after: JsonObject) => string | undefined;
}

/** A part of a text, or the name of the credential that stands there. */
export type TextPart = string | { credential: string };

const VIEW = Symbol("view");

/** Gives a call what its question needs. It goes along with the request, and is in no copy and no JSON of it. */
export function withView(call: CallToApprove, view: CallView | undefined): CallToApprove {
  return view === undefined ? call : Object.defineProperty(call, VIEW, { value: view });
}

const PLAIN: CallView = { parameters: [], split: (text) => [text] };

export function viewOf(call: CallToApprove): CallView {
  return (call as { [VIEW]?: CallView })[VIEW] ?? PLAIN;
}

/** The lines that a person is asked with about one call. `isWhole` shows long arguments to their ends. */
export function describeCallToApprove(
  { tools, call }: ApprovalRequest,
  isWhole = false,
  channel: LineChannel = "plain",
): string[] {
  if (call === undefined) return [];
  const { position, total, place, made, problem, isInDoubt } = call;
  const { short, whole } = argumentsOf(call);
  const calls = [...made].map(([name, count]) => `${quoteName(name)} ${count === 1 ? "once" : `${count} times`}`);
  return [
    ...(problem === undefined ? [] : [`The answer could not be used: ${quoteText(problem)}.`]),
    ...(isInDoubt === true ? IN_DOUBT : []),
    ...tools.flatMap((tool) => describeToolToApprove(tool, channel)),
    ...(isWhole ? whole : short),
    ...(place === undefined ? [] : [`  in the script at ${quoteName(place)}`]),
    `  so far this run has called ${calls.length === 0 ? "nothing" : calls.slice(0, MOST_MADE).join(", ")}${calls.length > MOST_MADE ? ", …" : ""}`,
    ...(total === 1 ? [] : [`  call ${position} of ${total}`]),
  ];
}

/** Whether `describeCallToApprove` leaves something out unless it shows the whole. */
export function isShortened({ call }: ApprovalRequest): boolean {
  return call !== undefined && argumentsOf(call).isShortened;
}

const IN_DOUBT = [
  "codemode was ended while this call was under way. Look whether the server has done it.",
  "Allow it if not: it is made again. If so, answer with its result. Refuse it to stop the run.",
];

const MOST_ARGUMENTS = 30;
const MOST_MADE = 10;
/** Of a long argument, in characters. */
const HEAD = 300;
const TAIL = 100;
/** A path or an address is decided by all of it: it is shown whole up to this. */
const LONGEST_PLACE = 4096;

interface ArgumentLines {
  short: readonly string[];
  whole: readonly string[];
  isShortened: boolean;
}

/** A question is shown in several ways, and its arguments may be long: their lines are made once. */
const known = new WeakMap<CallToApprove, ArgumentLines>();

function argumentsOf(call: CallToApprove): ArgumentLines {
  const made = known.get(call) ?? makeArgumentLines(call);
  known.set(call, made);
  return made;
}

function makeArgumentLines(call: CallToApprove): ArgumentLines {
  const { parameters, split } = viewOf(call);
  const declared = parameters.filter((name) => Object.hasOwn(call.input, name));
  const others = Object.keys(call.input).filter((name) => !declared.includes(name));
  const lines = [...declared, ...others].map((name) =>
    describeValue(quoteText(name), call.input[name] as JsonValue, split),
  );
  if (lines.length === 0) return { short: NONE, whole: NONE, isShortened: false };
  const hidden = Math.max(0, lines.length - MOST_ARGUMENTS);
  return {
    short: [
      ...lines.slice(0, MOST_ARGUMENTS).map(({ short }) => short),
      ...(hidden === 0 ? [] : [`  … and ${hidden} more arguments`]),
    ],
    whole: lines.map(({ whole }) => whole),
    isShortened: hidden > 0 || lines.some(({ short, whole }) => short !== whole),
  };
}

const NONE = ["  without arguments"];

/** A value on one line behind its label: whole, and where it is long with head, tail, length and digest. */
export function describeValue(
  label: string,
  value: JsonValue,
  split: CallView["split"],
): { short: string; whole: string } {
  const text = print(value, split);
  const line = (shown: string): string => `  ${label}: ${shown}`;
  const whole = line(text);
  const isPlace = typeof value === "string" && /[/\\]/.test(value) && !/\s/.test(value);
  if (text.length <= (isPlace ? LONGEST_PLACE : HEAD + TAIL)) return { short: whole, whole };
  const left = text.length - HEAD - TAIL;
  const measured = typeof value === "string" ? value : JSON.stringify(value);
  const digest = bytesToHex(sha256(utf8ToBytes(measured)));
  // Of a text with a credential a digest would help to guess it.
  const facts = `${measured.length} characters${split(measured).length > 1 ? "" : `, SHA-256 ${digest}`}`;
  return { short: line(`${text.slice(0, HEAD)} … (${left} more characters) … ${text.slice(-TAIL)} (${facts})`), whole };
}

/** JSON on one line. What stands in the place of a credential is outside of the quotes, where no text of a script can stand. */
function print(value: JsonValue, split: CallView["split"]): string {
  if (typeof value === "string") return printText(split(value));
  if (Array.isArray(value)) return `[${value.map((item) => print(item, split)).join(",")}]`;
  if (typeof value !== "object" || value === null) return toSourceLiteral(value);
  const members = Object.entries(value).map(([name, member]) => `${printText(split(name))}:${print(member, split)}`);
  return `{${members.join(",")}}`;
}

function printText(parts: readonly TextPart[]): string {
  const shown = parts.map((part) =>
    typeof part === "string" ? quoteText(part) : `a credential of ${quoteName(part.credential)}`,
  );
  return shown.length === 0 ? '""' : shown.join(" + ");
}
