import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import {
  includesResultShape,
  joinResultShapes,
  shapeOfResult,
  type ResultShape,
} from "../../../schemas/observed/result-shape.ts";
import { toPlaceholder } from "../../../schemas/run/placeholders.ts";
import {
  countResults,
  formatObserved,
  joinObserved,
  MOST_SOURCES,
  type ObservedResults,
  parseObserved,
} from "../../../schemas/observed/observed-results.ts";

function shapeOf(...values: JsonValue[]): ResultShape {
  return values.map((value) => shapeOfResult(value) ?? {}).reduce(joinResultShapes);
}

function observed(sources: { [id: string]: number }, ...values: JsonValue[]): ObservedResults {
  return { sources: new Map(Object.entries(sources)), shape: shapeOf(...values) };
}

function sourceId(number: number): string {
  return String(number).padStart(16, "0");
}

describe("the shape of a result", () => {
  it.each<[string, JsonValue, ResultShape]>([
    ["a text", "hello", { text: true }],
    ["a number in a text", "42", { text: true }],
    ["a text that only begins like JSON", "[1] is a footnote]", { text: true }],
    [
      "the JSON text of an object",
      '{"id": 1}\n',
      { json: { object: { fields: new Map([["id", { shape: { number: true }, isOptional: false }]]) } } },
    ],
    ["the JSON text of a list", " []", { json: { array: {} } }],
    [
      "structured content",
      { id: 1 },
      { structured: { object: { fields: new Map([["id", { shape: { number: true }, isOptional: false }]]) } } },
    ],
    [
      "a picture",
      {
        content: [
          { type: "image", data: "AA==", mimeType: "image/png" },
          { type: "text", text: "a" },
        ],
      },
      { blocks: new Set(["image", "text"]) },
    ],
    ["no block", { content: [] }, { blocks: new Set() }],
    ["a list", [1], { structured: { array: { number: true } } }],
    ["nothing", null, { structured: { null: true } }],
    ["a block of a later protocol", { content: [{ type: "hologram" }] }, { blocks: new Set(["other"]) }],
    [
      "structured content with a list called content",
      { content: ["a"] },
      {
        structured: {
          object: { fields: new Map([["content", { shape: { array: { string: true } }, isOptional: false }]]) },
        },
      },
    ],
  ])("tells %s", (_, value, shape) => {
    expect(shapeOfResult(value)).toEqual(shape);
  });

  it("takes nothing that was redacted for a string", () => {
    const pin = toPlaceholder("pin", 1, "0123456789abcdef");
    const shape = shapeOf({ pin, note: `call ${pin}`, [`of ${pin}`]: 1 }, { pin, note: `call ${pin}`, list: [pin] });
    expect(formatObserved({ sources: new Map([[sourceId(1), 2]]), shape })["structured"]).toEqual({
      type: "object",
      properties: { list: { type: "array", items: false }, note: { type: "string" }, pin: false },
      required: ["list", "note", "pin"],
    });
    expect(shapeOfResult(pin)).toBeUndefined();
    // It was a number.
    expect(shapeOfResult(`{"pin": ${pin}}`)).toBeUndefined();
    expect(shapeOfResult(`{"pin": "${pin}"}`)).toEqual({
      json: { object: { fields: new Map([["pin", { shape: {}, isOptional: false }]]) } },
    });
    expect(shapeOfResult(`The pin is ${pin}.`)).toEqual({ text: true });
  });

  it("leaves a text of more than a million characters out, if it may be JSON", () => {
    expect(shapeOfResult(`[${" ".repeat(1_000_000)}]`)).toBeUndefined();
    const long = "a".repeat(2_000_000);
    for (const text of [long, `see [${long}]`, `[${long}] is a footnote`])
      expect(shapeOfResult(text)).toEqual({ text: true });
  });

  it("includes what it was joined from, and nothing else", () => {
    const shape = shapeOf("plain", '{"id": 1}', { content: [{ type: "text" }, { type: "image" }] });
    expect(includesResultShape(shape, shapeOf('{"id": 2}'))).toBe(true);
    expect(includesResultShape(shape, shapeOf({ content: [{ type: "image" }] }))).toBe(true);
    for (const other of ['{"id": "a"}', "[]", { id: 1 }, { content: [{ type: "audio" }] }] as JsonValue[]) {
      expect(includesResultShape(shape, shapeOf(other))).toBe(false);
    }
    expect(includesResultShape(shapeOf('{"id": 1}'), shapeOf("plain"))).toBe(false);
  });
});

describe("what was observed of a tool", () => {
  const first = observed({ [sourceId(1)]: 2 }, '{"id": 1}', "none");
  const second = observed({ [sourceId(2)]: 3 }, '{"id": 1, "title": null}', { content: [{ type: "image" }] }, [1]);

  it("is the same in any order, and when it is learned twice", () => {
    const joined = formatObserved(joinObserved(first, second));
    expect(formatObserved(joinObserved(second, first))).toEqual(joined);
    expect(formatObserved(joinObserved(joinObserved(first, second), second))).toEqual(joined);
    expect(countResults(joinObserved(first, second))).toBe(5);
  });

  it("is read back as it was written", () => {
    const joined = joinObserved(first, second);
    const text = JSON.stringify(formatObserved(joined));
    expect(parseObserved(JSON.parse(text) as JsonValue, (problem) => new Error(problem))).toEqual(joined);
  });

  it("keeps 32 sources, the same ones in any order", () => {
    const many = Array.from({ length: MOST_SOURCES + 8 }, (_, at) => observed({ [sourceId(at)]: 1 }, "text"));
    const kept = formatObserved(many.reduce(joinObserved));
    expect(formatObserved(many.toReversed().reduce(joinObserved))).toEqual(kept);
    expect(Object.keys(kept["sources"] as object)).toHaveLength(MOST_SOURCES);
  });

  it.each<[string, JsonValue, string]>([
    ["text", "shape", "it is not an object"],
    ["an unknown key", { text: true, sources: { [sourceId(1)]: 1 }, note: "hi" }, '"note" is unknown'],
    ["no shape", { sources: { [sourceId(1)]: 1 } }, "it says nothing of any result"],
    ["no source", { text: true, sources: {} }, '"sources" has 0 of 1 to 32 sources'],
    ["no sources", { text: true }, '"sources" is not an object'],
    ["half a result", { text: true, sources: { [sourceId(1)]: 0.5 } }, "which is no source with a count"],
    ["a source with a name", { text: true, sources: { "my-recording": 1 } }, "which is no source with a count"],
    ["a text that is not there", { text: false, sources: { [sourceId(1)]: 1 } }, '"text" is not true'],
    ["an unknown block", { blocks: ["hologram"], sources: { [sourceId(1)]: 1 } }, '"blocks" is not a list of audio'],
    ["a broken shape", { json: { type: "text" }, sources: { [sourceId(1)]: 1 } }, 'in "json", the shape has a "type"'],
  ])("is refused with %s", (_, value, problem) => {
    expect(() => parseObserved(value, (message) => new Error(message))).toThrow(problem);
  });
});
