import type { RunAnswer } from "./answer.ts";
import { DEFAULTS } from "../config/config-file.ts";
import { recordingInvalid } from "../errors.ts";
import { integrityOfText } from "../lock/integrity.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import { parseBundleFile, toBundle } from "./bundle-file.ts";
import { isRunKey } from "./run-key.ts";
import { RECORDING_VERSION, type RecordedEnding, type Recording } from "./recording.ts";
import type { CodemodeError } from "../codemode-error.ts";

const RECORD_AGAIN = "Record the run again with `codemode run SCRIPT --record FILE`, or restore the file.";

const KIND = {
  name: "a recording",
  versionKey: "recordingVersion",
  version: RECORDING_VERSION,
  integrityOf: (content: JsonObject) => integrityOfText(JSON.stringify(content)),
};

/** Reads the text of a recording. Throws where a byte of it has been changed, or it is none. `file` is for the error's line. */
export function parseRecording(text: string, file: string): Recording {
  const fail = (problem: string, hint = RECORD_AGAIN): CodemodeError => recordingInvalid(file, problem, hint);
  const content = parseBundleFile(text, KIND, fail);
  const wrong = Object.keys(PARTS).find((name) => !(PARTS[name] as PartCheck)(ownValue(content, name)));
  if (wrong !== undefined) throw fail(`its "${wrong}" is missing or of the wrong kind`);
  if (!areEventsOfCalls(content)) throw fail('its "events" do not belong to its "calls"');
  const { recordingVersion: _, ...parts } = content;
  const recording: object = parts;
  return recording as Recording;
}

type PartCheck = (value: JsonValue | undefined) => boolean;

const isText: PartCheck = (value) => typeof value === "string";
const isTime: PartCheck = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isWord: PartCheck = (value) => isTime(value) && (value as number) <= 0xffff_ffff;
const isAbsentOr =
  (check: PartCheck): PartCheck =>
  (value) =>
    value === undefined || check(value);
const isListOf =
  (check: PartCheck): PartCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);
const hasParts =
  (parts: Record<string, PartCheck>): PartCheck =>
  (value) =>
    isJsonObject(value) && Object.entries(parts).every(([name, check]) => check(ownValue(value, name)));

const OWN_ENDINGS: readonly unknown[] = ["result", "failure", "broken", "cancelled"] satisfies RecordedEnding[];

const isAnswer = hasParts({
  logs: isListOf(hasParts({ level: isText, message: isText, timeMs: isTime })),
  result: (value) => value !== undefined,
  diagnostics: isListOf(hasParts({ severity: isText, code: isText, message: isText })),
  toolTrace: isListOf(hasParts({ serverId: isText, toolName: isText })),
} satisfies Record<Exclude<keyof RunAnswer, "key" | "runId" | "unrepeatable">, PartCheck>);

const isCall = hasParts({
  serverId: isText,
  toolName: isText,
  input: (value) => value !== undefined,
  startMs: isTime,
  endMs: isAbsentOr(isTime),
  reply: isAbsentOr(hasParts({ ok: (value) => typeof value === "boolean" })),
});

const PARTS: Record<string, PartCheck> = {
  madeBy: hasParts({ codemode: isText, node: isText }),
  script: isText,
  redact: isListOf(isText),
  servers: (value) => isJsonObject(value) && Object.values(value).every(isText),
  start: hasParts({ timeMs: isTime, seed: (value) => isListOf(isWord)(value) && (value as JsonValue[]).length === 4 }),
  input: (value) => value !== undefined,
  key: isAbsentOr((value) => isText(value) && isRunKey(value as string)),
  limits: hasParts(Object.fromEntries(Object.keys(DEFAULTS.limits).map((name) => [name, isTime]))),
  ending: (value) => OWN_ENDINGS.includes(value) || (isText(value) && Object.hasOwn(DEFAULTS.limits, value as string)),
  answer: isAnswer,
  calls: isListOf(isCall),
  events: isListOf(
    hasParts({ timeMs: isTime, call: isAbsentOr(isTime), timer: isAbsentOr(isTime) } satisfies Record<
      string,
      PartCheck
    >),
  ),
  bundle: (value) => toBundle(value) !== undefined,
};

/** Each reply is heard once, and only of a call that has one. */
function areEventsOfCalls(content: JsonObject): boolean {
  const calls = content["calls"] as JsonObject[];
  const heard = new Set<JsonValue>();
  return (content["events"] as JsonObject[]).every(({ call, timer }) => {
    if (call === undefined) return timer !== undefined;
    if (timer !== undefined || heard.has(call)) return false;
    heard.add(call);
    return calls[(call as number) - 1]?.["reply"] !== undefined;
  });
}
