import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { Diagnostic, LogEntry, RunAnswer } from "../../schemas/run/answer.ts";
import { findDifference } from "../../schemas/json/find-difference.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import {
  cut,
  describePlace,
  type Divergence,
  isSameButRedacted,
  MAX_QUOTED,
  nameOfCall,
  quoteDifference,
  quoteValue,
} from "../../schemas/run/compare-calls.ts";
import { type RecordedEnding, type Recording, wasCutOff } from "../../schemas/run/recording.ts";

/** What a replay came to. */
export interface ReplayedEnd {
  answer: RunAnswer;
  ending: RecordedEnding;
  /** How many calls were made. */
  calls: number;
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
export function divergenceFinding(divergence: Divergence): Diagnostic {
  const { pointer, expected, received } = divergence;
  return {
    severity: "error",
    code: "REPLAY_DIVERGED",
    message: `The replay diverges from the recording at ${describePlace(divergence)}: expected ${expected}, received ${received}`,
    hint: "If the change is intended, update the recording with --update, or record the run again.",
    ...withoutUndefined({ path: pointer === "" ? undefined : pointer }),
  };
}

function compareCallCounts({ calls }: Recording, end: ReplayedEnd): Divergence | undefined {
  const missing = calls[end.calls];
  if (missing === undefined) return undefined;
  const name = nameOfCall(missing);
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
    if (left !== undefined && left.level === right?.level && isSameButRedacted(left.message, right.message)) continue;
    return { place: `log line ${line + 1}`, expected: quoteLine(left, right), received: quoteLine(right, left) };
  }
  return undefined;
}

const CONTEXT = 20;

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
  if (isSameKind && (end.ending !== "failure" || isSameButRedacted(expected, received))) return undefined;
  return { place: "the end", expected: cut(expected), received: cut(received) };
}

function describeEnd({ answer, ending }: Pick<Recording, "answer" | "ending">): string {
  if (ending === "result") return "a result";
  const error = answer.diagnostics.find(({ severity }) => severity === "error");
  return error === undefined ? ending : `${error.code}: ${error.message}`;
}

function compareResults(expected: JsonValue, received: JsonValue): Divergence | undefined {
  const difference = findDifference(expected, received, isSameButRedacted);
  if (difference !== undefined) return { place: "the result", ...quoteDifference(difference) };
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
