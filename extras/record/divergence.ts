import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { Diagnostic, LogEntry, RunAnswer } from "../../schemas/run/answer.ts";
import { type JsonObject, type JsonValue, isJsonObject, ownValue } from "../../schemas/json/json.ts";
import { type RecordedCall, type RecordedEnding, type Recording, wasCutOff } from "../../schemas/run/recording.ts";
import { splitAtPlaceholders } from "../../schemas/run/placeholders.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";

/** The first place where a replay is not what was recorded. */
export interface Divergence {
  /** For people: `call 3 (filesystem/read_file)`, `log line 2`, `the result`, `the end`. */
  place: string;
  /** JSON Pointer into the input of the call or into the result; absent where there is no value to point into. */
  pointer?: string;
  expected: string;
  received: string;
}

/** What a replay came to. */
export interface ReplayedEnd {
  answer: RunAnswer;
  ending: RecordedEnding;
  /** How many calls were made. */
  calls: number;
}

/** Compares a call with the recorded one of the same number. */
export function compareCall(
  number: number,
  expected: RecordedCall,
  received: Pick<RecordedCall, "serverId" | "toolName" | "input">,
): Divergence | undefined {
  const place = `call ${number} (${nameOf(expected)})`;
  if (nameOf(expected) !== nameOf(received)) {
    return { place, expected: `a call of ${nameOf(expected)}`, received: `a call of ${nameOf(received)}` };
  }
  const difference = findDifference(expected.input, received.input, isSameText);
  return difference === undefined ? undefined : { place, ...quote(difference) };
}

/** Compares what a run left behind: how many calls there were, its end, its logs and its result, in this order. */
export function compareEnds(recording: Recording, end: ReplayedEnd): Divergence | undefined {
  const isCutOff = wasCutOff(recording.ending);
  return (
    (isCutOff ? undefined : compareCallCounts(recording, end)) ??
    compareLogs(recording.answer.logs, end.answer.logs, isCutOff) ??
    compareEndings(recording, end) ??
    compareResults(recording.answer.result, end.answer.result)
  );
}

/** The divergence as a finding about the replay. */
export function toDiagnostic({ place, pointer, expected, received }: Divergence): Diagnostic {
  const at = pointer === undefined || pointer === "" ? place : `${place} at ${pointer}`;
  return {
    severity: "error",
    code: "REPLAY_DIVERGED",
    message: `The replay diverges from the recording at ${at}: expected ${expected}, received ${received}`,
    hint: "If the change is intended, update the recording with --update, or record the run again.",
    ...withoutUndefined({ path: pointer === "" ? undefined : pointer }),
  };
}

export function nameOf({ serverId, toolName }: Pick<RecordedCall, "serverId" | "toolName">): string {
  return cut(`${serverId}/${toolName}`);
}

function compareCallCounts({ calls }: Recording, end: ReplayedEnd): Divergence | undefined {
  const missing = calls[end.calls];
  if (missing === undefined) return undefined;
  const name = nameOf(missing);
  return { place: `call ${end.calls + 1} (${name})`, expected: `a call of ${name}`, received: "no further call" };
}

/** A run that was cut off may be cut at another line. */
function compareLogs(
  expected: readonly LogEntry[],
  received: readonly LogEntry[],
  isCutOff: boolean,
): Divergence | undefined {
  const lines = (isCutOff ? Math.min : Math.max)(expected.length, received.length);
  for (let line = 0; line < lines; line += 1) {
    const [left, right] = [expected[line], received[line]];
    if (left !== undefined && left.level === right?.level && isSameText(left.message, right.message)) continue;
    return { place: `log line ${line + 1}`, expected: quoteLine(left, right), received: quoteLine(right, left) };
  }
  return undefined;
}

/** From where the two lines differ on, a little earlier. */
function quoteLine(line: LogEntry | undefined, other: LogEntry | undefined): string {
  if (line === undefined) return "no further line";
  const { level, message } = line;
  const prefix = other?.level === level ? commonLength(message, other.message) : 0;
  const start = prefix > MAX_QUOTED / 2 ? prefix - CONTEXT : 0;
  return `${level} ${start > 0 ? "…" : ""}${quoteValue(message.slice(start))}`;
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function compareEndings(recording: Recording, end: ReplayedEnd): Divergence | undefined {
  const [expected, received] = [describeEnd(recording), describeEnd(end)];
  const isSameKind = recording.ending === end.ending;
  // Of the other endings, the kind says all.
  if (isSameKind && (end.ending !== "failure" || isSameText(expected, received))) return undefined;
  return { place: "the end", expected: cut(expected), received: cut(received) };
}

function describeEnd({ answer, ending }: Pick<Recording, "answer" | "ending">): string {
  if (ending === "result") return "a result";
  const error = answer.diagnostics.find(({ severity }) => severity === "error");
  return error === undefined ? ending : `${error.code}: ${error.message}`;
}

function compareResults(expected: JsonValue, received: JsonValue): Divergence | undefined {
  const difference = findDifference(expected, received, isSameText);
  if (difference !== undefined) return { place: "the result", ...quote(difference) };
  if (sameOrder(expected, received)) return undefined;
  return { place: "the result", expected: "its members in the recorded order", received: "another order" };
}

/** Whether two equal values print their members in the same order. */
function sameOrder(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null) return true;
  const names = Object.keys(left);
  if (Object.keys(right).some((name, index) => name !== names[index])) return false;
  return names.every((name) => sameOrder((left as JsonObject)[name], (right as JsonObject)[name]));
}

/** A placeholder of something redacted may stand for anything. */
function isSameText(expected: string, received: JsonValue): boolean {
  if (expected === received) return true;
  const parts = splitAtPlaceholders(expected);
  if (parts.length === 1) return false;
  if (parts.every((part) => part === "")) return typeof received !== "object" || received === null;
  if (typeof received !== "string") return false;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? received.lastIndexOf(part) : received.indexOf(part, at);
    if (found < at || (index === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  return at === received.length;
}

function quote({ pointer, expected, received }: JsonDifference): Omit<Divergence, "place"> {
  return { pointer, expected: quoteValue(expected), received: quoteValue(received) };
}

const MAX_QUOTED = 120;
const CONTEXT = 20;

function quoteValue(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** The first place where two JSON values differ; undefined stands for what is not there. */
interface JsonDifference {
  /** JSON Pointer (RFC 6901); empty for the whole. */
  pointer: string;
  expected: JsonValue | undefined;
  received: JsonValue | undefined;
}

/**
 * Finds the first difference of two JSON values, by their order in canonical JSON (RFC 8785). The order of members counts for nothing.
 * `isSameText` may take texts for equal that are not.
 */
export function findDifference(
  expected: JsonValue,
  received: JsonValue,
  isSameText: (expected: string, received: JsonValue) => boolean = (left, right) => left === right,
): JsonDifference | undefined {
  const compare = (
    left: JsonValue | undefined,
    right: JsonValue | undefined,
    pointer: string,
  ): JsonDifference | undefined => {
    if (left === undefined || right === undefined) return { pointer, expected: left, received: right };
    if (typeof left === "string" && isSameText(left, right)) return undefined;
    if (Array.isArray(left) && Array.isArray(right)) {
      const length = Math.max(left.length, right.length);
      return firstOf(length, (index) => compare(left[index], right[index], `${pointer}/${index}`));
    }
    if (isJsonObject(left) && isJsonObject(right)) {
      const names = memberNames(left, right);
      return firstOf(names.length, (index) => {
        const name = names[index] as string;
        return compare(ownValue(left, name), ownValue(right, name), `${pointer}/${escapeToken(name)}`);
      });
    }
    return left === right ? undefined : { pointer, expected: left, received: right };
  };
  return compare(expected, received, "");
}

function memberNames(left: JsonObject, right: JsonObject): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted(byCodeUnits);
}

function firstOf<Found>(count: number, find: (index: number) => Found | undefined): Found | undefined {
  for (let index = 0; index < count; index += 1) {
    const found = find(index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
