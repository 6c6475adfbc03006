import { findDifference, type IsSameText, type JsonDifference } from "../json/find-difference.ts";
import { parseForeignJson } from "../json/foreign-json.ts";
import type { JsonValue } from "../json/json.ts";
import { splitAtPlaceholders } from "./placeholders.ts";
import type { RecordedCall } from "./recording.ts";

/** The first place where a run does not do again what it did before. */
export interface Divergence {
  /** For people: `call 3 (filesystem/read_file)`, `log line 2`, `the result`, `the end`. */
  place: string;
  /** JSON Pointer into the input of the call or into the result; absent where there is no value to point into. */
  pointer?: string;
  expected: string;
  received: string;
}

/** A call as the text that a script has sent. */
export interface CallText {
  serverId: string;
  toolName: string;
  inputJson: string;
}

/** Which tool is called. */
export type NamedCall = Pick<RecordedCall, "serverId" | "toolName">;

/** Compares a call with the one of the same number before. `isSameText` is as in `findDifference`. */
export function compareCalls(
  number: number,
  expected: CallText | RecordedCall,
  received: CallText,
  isSameText?: IsSameText,
): Divergence | undefined {
  const place = `call ${number} (${nameOfCall(expected)})`;
  if (nameOfCall(expected) !== nameOfCall(received))
    return { place, expected: `a call of ${nameOfCall(expected)}`, received: `a call of ${nameOfCall(received)}` };
  if ("inputJson" in expected && expected.inputJson === received.inputJson) return undefined;
  const before = "inputJson" in expected ? toRecordedInput(expected.inputJson) : expected.input;
  const difference = findDifference(before, toRecordedInput(received.inputJson), isSameText);
  return difference === undefined ? undefined : { place, ...quoteDifference(difference) };
}

/** The input of a call; where it is no JSON, which no binding sends, its text. */
export function toRecordedInput(inputJson: string): JsonValue {
  return parseForeignJson(inputJson) ?? inputJson;
}

export function nameOfCall({ serverId, toolName }: NamedCall): string {
  return cut(`${serverId}/${toolName}`);
}

/** `call 3 (ledger/book) at /amount`. */
export function describePlace({ place, pointer = "" }: Divergence): string {
  return pointer === "" ? place : `${place} at ${pointer}`;
}

/** A placeholder of something redacted may stand for anything. */
export const isSameButRedacted: IsSameText = (expected, received) => {
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
};

export function quoteDifference({ pointer, expected, received }: JsonDifference): Omit<Divergence, "place"> {
  return { pointer, expected: quoteValue(expected), received: quoteValue(received) };
}

export const MAX_QUOTED = 120;

export function quoteValue(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : cut(JSON.stringify(value));
}

export function cut(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
