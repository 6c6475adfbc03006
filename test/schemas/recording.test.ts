import { describe, expect, test } from "vitest";
import { formatRecording } from "../../extras/record/recording-file.ts";
import { integrityOfText } from "../../schemas/lock/integrity.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { RECORDING } from "./example-recording.ts";

const parse = (text: string): Recording => parseRecording(text, "run.json");

/** The text with a part changed, and an integrity to fit. */
function forge(change: (content: JsonObject) => void): string {
  const { integrity: _, ...content } = JSON.parse(formatRecording(RECORDING)) as JsonObject;
  change(content);
  return JSON.stringify({ ...content, integrity: integrityOfText(JSON.stringify(content)) });
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
    expect(() => parse(forge((content) => delete content[part]))).toThrow(`its "${part}" is missing`);
  });

  test.each<[JsonObject, string]>([
    [{ timeMs: 1, call: 2 }, "a reply that is not there"],
    [{ timeMs: 1, call: 9 }, "a call that is not there"],
    [{ timeMs: 1, call: 1 }, "a reply that was heard before"],
    [{ timeMs: 1 }, "nothing"],
    [{ timeMs: 1, call: 1, timer: 1 }, "two things at once"],
  ])("with the event %j is refused: it is of %s", (event) => {
    expect(() => parse(forge((content) => (content["events"] as JsonObject[]).push(event)))).toThrow('"events"');
  });
});
