import { describe, expect, test } from "vitest";
import { formatRecording } from "../../extras/record/recording-file.ts";
import { integrityOfText } from "../../schemas/lock/integrity.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { RECORDING } from "./example-recording.ts";

const parse = (text: string): Recording => parseRecording(text, "run.json");

/** Reads the recording with the value at this path changed, and an integrity to fit. */
function parseWith(path: string, value: JsonValue | undefined): unknown {
  const { integrity: _, ...content } = JSON.parse(formatRecording(RECORDING)) as JsonObject;
  const steps = path.split(".");
  const last = steps.pop() as string;
  const holder = steps.reduce<JsonObject>((node, step) => node[step] as JsonObject, content);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return parseRecording(
    JSON.stringify({ ...content, integrity: integrityOfText(JSON.stringify(content)) }),
    "run.json",
  );
}

describe("a recording", () => {
  test("is read as it was written, with the members of foreign values in their order", () => {
    const read = parse(formatRecording(RECORDING));
    expect(read).toEqual(RECORDING);
    expect(JSON.stringify(read.input)).toBe('{"zulu":1,"alpha":[null]}');
    expect(formatRecording(read)).toBe(formatRecording(RECORDING));
  });

  test("may be reformatted, but not changed", () => {
    const text = formatRecording(RECORDING);
    expect(parse(JSON.stringify(JSON.parse(text)))).toEqual(RECORDING);
    expect(() => parse(text.replace('"timeMs": 3', '"timeMs": 4'))).toThrow("integrity does not match");
    expect(() => parse(text.replace("*token*", "nothing"))).toThrow("integrity does not match");
  });

  test("of a newer version is refused with the version", () => {
    const text = formatRecording(RECORDING).replace('"recordingVersion": 1', '"recordingVersion": 2');
    expect(() => parse(text)).toThrow("version 2 is newer than this codemode reads (1)");
  });

  test.each(["", "{", "[]", "null", "{}", '{"bundleVersion":1}', formatRecording(RECORDING).slice(0, -50)])(
    "is not this: %j",
    (text) => {
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: "RECORDING_INVALID", exitCode: 2 }));
    },
  );

  test.each(Object.keys(RECORDING))("without its %s is refused, even with a matching integrity", (part) => {
    expect(() => parseWith(part, undefined)).toThrow(`its "${part}" is missing`);
  });
});

test.each<[string, JsonValue | undefined]>([
  ["madeBy", []],
  ["madeBy.node", 20],
  ["madeBy.codemode", undefined],
  ["script", null],
  ["redact", "x"],
  ["redact.0", 1],
  ["servers", []],
  ["servers.x", 1],
  ["start.timeMs", -1],
  ["start.timeMs", 0.5],
  ["start.timeMs", "1"],
  ["start.seed", [1, 2, 3]],
  ["start.seed", [1, 2, 3, 4, 5]],
  ["start.seed", [1, 2, 3, 2 ** 32]],
  ["start.seed", "1234"],
  ["limits.timeoutMs", undefined],
  ["limits.maxToolCalls", -1],
  ["ending", "maxNothing"],
  ["ending", "constructor"],
  ["ending", 1],
  ["answer.logs", {}],
  ["answer.logs", [{ level: "log", message: "x" }]],
  ["answer.logs", [{ level: "log", message: 1, timeMs: 1 }]],
  ["answer.logs", [{ message: "x", timeMs: 1 }]],
  ["answer.result", undefined],
  ["answer.diagnostics", [{ severity: "error", code: "X" }]],
  ["answer.diagnostics", [{ severity: "error", message: "X" }]],
  ["answer.diagnostics", [{ code: "X", message: "X" }]],
  ["answer.toolTrace", [{ serverId: "s" }]],
  ["answer.toolTrace", [{ toolName: "t" }]],
  ["calls.0.serverId", 1],
  ["calls.0.toolName", undefined],
  ["calls.0.input", undefined],
  ["calls.0.startMs", undefined],
  ["calls.0.endMs", -1],
  ["calls.0.reply", 1],
  ["calls.0.reply.ok", "yes"],
  ["calls", {}],
  ["events", {}],
  ["events.0.timeMs", undefined],
  ["bundle.code", 1],
  ["bundle.map", {}],
  ["bundle.manifest.tools", [{}]],
  ["bundle.packages", [{}]],
])("a recording whose %s is %j is refused, even with a matching integrity", (path, value) => {
  expect(() => parseWith(path, value)).toThrow(/its "\w+" is missing or of the wrong kind/);
});

test.each<[string, JsonValue | undefined]>([
  ["start.seed", [0, 1, 2, 2 ** 32 - 1]],
  ["start.timeMs", 0],
  ["ending", "timeoutMs"],
  ["ending", "cancelled"],
  ["ending", "failure"],
  ["ending", "broken"],
  ["answer.logs", [{ level: "log", message: "x", timeMs: 0 }]],
  ["answer.diagnostics", [{ severity: "error", code: "X", message: "" }]],
  ["answer.toolTrace", [{ serverId: "s", toolName: "t" }]],
  ["input", false],
  ["bundle.input", false],
])("one whose %s is %j is read", (path, value) => {
  expect(() => parseWith(path, value)).not.toThrow();
});

test("a version of another kind is none", () => {
  for (const version of ["2", 0, null])
    expect(() => parseWith("recordingVersion", version)).toThrow("it is not a recording");
});

test.each<[string, JsonValue]>([
  ["of a call and a timer at once", [{ timeMs: 1, call: 1, timer: 1 }]],
  ["of neither", [{ timeMs: 1 }]],
  [
    "of a call twice",
    [
      { timeMs: 1, call: 1 },
      { timeMs: 2, call: 1 },
    ],
  ],
  ["of a call that was not made", [{ timeMs: 1, call: 9 }]],
  ["of none before the first", [{ timeMs: 1, call: 0 }]],
])("an event %s belongs to no call", (_what, events) => {
  expect(() => parseWith("events", events)).toThrow('its "events" do not belong to its "calls"');
});

test("events of timers belong to no call, and need none", () => {
  const timers = [
    { timeMs: 1, timer: 1 },
    { timeMs: 2, timer: 1 },
  ];
  expect(() => parseWith("events", timers)).not.toThrow();
});

test("a reply is heard only of a call that has one", () => {
  expect(() => parseWith("calls.0.reply", undefined)).toThrow('its "events" do not belong to its "calls"');
});
