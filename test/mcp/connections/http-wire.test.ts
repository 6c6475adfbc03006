import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { readHeaderAnnotations, toParamHeaders } from "../../../runtime/mcp/client/http/header-annotations.ts";
import { makeEventReader, type StreamEvent } from "../../../runtime/mcp/client/http/server-events.ts";

function readAll(chunks: readonly Buffer[], limit = 1_000_000): unknown[] {
  const events: unknown[] = [];
  const push = makeEventReader(limit, {
    onEvent: ({ id, ...event }) => events.push(id === undefined ? event : { id, ...event }),
    onRetry: (retry) => events.push({ retry }),
  });
  for (const chunk of chunks) push(chunk);
  return events;
}

const dataOf = (events: unknown[]) => events.map((event) => (event as StreamEvent).data);

const line = (text: string) => ({ kind: "line", text });

describe("server-sent events", () => {
  it.each<[string, string, unknown[]]>([
    ["data", "data: a\n\n", [{ type: "message", data: line("a") }]],
    ["data without a space", "data:a\n\n", [{ type: "message", data: line("a") }]],
    ["several lines of data", "data: a\ndata:  b\ndata\n\n", [{ type: "message", data: line("a\n b\n") }]],
    [
      "lines that end in CRLF",
      "data: a\r\n\r\ndata: b\r\n\r\n",
      [
        { type: "message", data: line("a") },
        { type: "message", data: line("b") },
      ],
    ],
    [
      "a type, an id and a pause",
      "event: x\nid: 7\nretry: 10\ndata: a\n\n",
      [{ retry: 10 }, { type: "x", id: "7", data: line("a") }],
    ],
    ["an id alone", "id: 7\ndata:\n\n", [{ type: "message", id: "7", data: line("") }]],
    ["a pause that is none", "retry: soon\ndata: a\n\n", [{ type: "message", data: line("a") }]],
    ["comments and unknown fields", ": hi\n\nfoo: bar\ndata: a\n\n", [{ type: "message", data: line("a") }]],
    [
      "lines that end in CR",
      "data: a\r\rdata: b\r\r\n",
      [
        { type: "message", data: line("a") },
        { type: "message", data: line("b") },
      ],
    ],
    ["a mark at the beginning", "\uFEFFdata: a\n\n", [{ type: "message", data: line("a") }]],
    ["an event that never ends", "data: a\n\ndata: b\n", [{ type: "message", data: line("a") }]],
  ])("are read: %s", (_, text, expected) => {
    expect(readAll([Buffer.from(text)])).toEqual(expected);
    expect(readAll([...Buffer.from(text)].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  it("are the same however the stream is cut", () => {
    const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1 }).map((text) => text.replace(/[\r\n]/g, "x")));
    const newlines = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(texts, fc.array(fc.nat(200)), newlines, (data, cuts, newline) => {
        const bytes = Buffer.from(data.map((text) => `data: ${text}${newline}${newline}`).join(""));
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(dataOf(readAll(chunks))).toEqual(data.map(line));
      }),
    );
  });

  it.each([1, 7, 100, 100_000])("keep only their edges when they are over the limit (chunks of %i)", (size) => {
    const cut = (text: string): Buffer[] => {
      const bytes = Buffer.from(text);
      return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
    };
    const long = `data: before\n\nevent: message\nid: 3\ndata: {"id":1,"result":{"x":"${"x".repeat(5_000)}"}}\n\ndata: next\n\n`;
    const [before, over, next, ...others] = dataOf(readAll(cut(long), 1_000));
    expect([before, next, others]).toEqual([line("before"), line("next"), []]);
    expect(over).toMatchObject({
      kind: "oversize",
      head: expect.stringMatching(/^\{"id":1,"result"/),
      tail: expect.stringMatching(/x"\}\}$/),
    });
    expect((over as { byteLength: number }).byteLength).toBeGreaterThan(5_000);
    const [many, after] = dataOf(readAll(cut(`${"data: xxxxxxxxx\n".repeat(200)}\ndata: next\n\n`), 1_000));
    expect(many).toMatchObject({ kind: "oversize" });
    expect(after).toEqual(line("next"));
    expect(dataOf(readAll(cut(`: ${"x".repeat(5_000)}\n\ndata: next\n\n`), 1_000)).at(-1)).toEqual(line("next"));
  });

  it("without an end cost no memory and linear time", () => {
    const begun = process.cpuUsage();
    for (const part of [":", ": x\n", "\r", "\n", "\r\n\n\n", "data: x\n", "id: 1\n", "retry: 0\n", "x"]) {
      const chunk = Buffer.from(part.repeat(65_536 / part.length));
      const push = makeEventReader(1_000_000, { onEvent: () => undefined });
      for (let count = 0; count < 16; count += 1) push(chunk);
    }
    const { user } = process.cpuUsage(begun);
    expect(user / 1_000).toBeLessThan(3_000);
  });
});

describe("annotations for headers in an input schema", () => {
  const region = { type: "string", "x-mcp-header": "Region" };
  it.each<[string, JsonValue | undefined, string]>([
    ["no schema", undefined, "none"],
    ["a schema that is none", 7, "none"],
    ["no annotation", { properties: { a: { type: "string" } } }, "none"],
    ["an annotated property", { properties: { region } }, "valid"],
    ["one at any depth of properties", { properties: { a: { properties: { region } } } }, "valid"],
    ["the root", { ...region, properties: {} }, "invalid"],
    ["a property of another type", { properties: { region: { ...region, type: "number" } } }, "invalid"],
    ["a property without a type", { properties: { region: { "x-mcp-header": "Region" } } }, "invalid"],
    ["an empty name", { properties: { region: { ...region, "x-mcp-header": "" } } }, "invalid"],
    ["a name with a line break", { properties: { region: { ...region, "x-mcp-header": "A\r\nB" } } }, "invalid"],
    ["a name that is no text", { properties: { region: { ...region, "x-mcp-header": 1 } } }, "invalid"],
    [
      "two names that differ in case only",
      {
        properties: { region, other: { ...region, "x-mcp-header": "REGION" } },
      },
      "invalid",
    ],
    ["an item", { properties: { a: { type: "array", items: region } } }, "invalid"],
    ["a branch", { anyOf: [{ properties: { region } }] }, "invalid"],
    ["a definition", { $defs: { region }, properties: { region: { $ref: "#/$defs/region" } } }, "invalid"],
    ["an example that only looks like it", { properties: { a: { type: "object", default: region } } }, "none"],
  ])("are judged: %s", (_, schema, expected) => {
    expect(readHeaderAnnotations(schema)).toBe(expected);
  });

  it("are judged without end to a schema that is deep", () => {
    let schema: JsonValue = { properties: { region } };
    for (let depth = 0; depth < 5_000; depth += 1) schema = { properties: { a: schema } };
    expect(readHeaderAnnotations(schema)).toBe("invalid");
  });
});

describe("headers that repeat arguments", () => {
  const annotated = (name: string) => ({ type: "string", "x-mcp-header": name });
  const schema = {
    properties: { a: annotated("A"), deep: { properties: { b: annotated("B") } }, plain: { type: "string" } },
  };

  it.each<[string, JsonValue | undefined, Record<string, string>]>([
    ["text", { a: "us west 1", plain: "x" }, { "Mcp-Param-A": "us west 1" }],
    ["at any depth", { deep: { b: "x" } }, { "Mcp-Param-B": "x" }],
    ["numbers and switches", { a: 42, deep: { b: false } }, { "Mcp-Param-A": "42", "Mcp-Param-B": "false" }],
    ["nothing for what is absent, null or no scalar", { a: null, deep: { b: ["x"] } }, {}],
    ["nothing for a number that is inexact", { a: 2 ** 60 }, {}],
    ["nothing for an input that is no object", 7, {}],
    ["nothing without an input", undefined, {}],
    ["other characters as Base64", { a: "Hello, \u4e16" }, { "Mcp-Param-A": "=?base64?SGVsbG8sIOS4lg==?=" }],
    ["a line break as Base64", { a: "a\r\nb" }, { "Mcp-Param-A": "=?base64?YQ0KYg==?=" }],
    ["a space at an end as Base64", { a: " a" }, { "Mcp-Param-A": "=?base64?IGE=?=" }],
    ["no text as Base64", { a: "" }, { "Mcp-Param-A": "=?base64??=" }],
    ["what looks like Base64 as such", { a: "=?base64?x?=" }, { "Mcp-Param-A": "=?base64?PT9iYXNlNjQ/eD89?=" }],
  ])("say %s", (_, input, headers) => {
    expect(toParamHeaders(schema, input)).toEqual(headers);
  });
});
