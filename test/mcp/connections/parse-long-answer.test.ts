import { expect, test } from "vitest";
import { parseLongAnswer } from "../../../runtime/mcp/client/wire/parse-long-answer.ts";
import { parsePrinted, printedContent } from "../../../runtime/mcp/client/printed-content.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";

const VALUE = { rows: [{ name: 'a "quoted" {brace', tags: ["}", "\\", "ü𝒳"] }], empty: {} };
const JSON_TEXT = JSON.stringify(VALUE);

function read(line: string): JsonObject | undefined {
  const incoming = parseLongAnswer(Buffer.from(line));
  return incoming?.kind === "response" ? (incoming.message["result"] as JsonObject) : undefined;
}

test.each([
  ["as the SDK for JavaScript", `{"result":{"content":[],"structuredContent":${JSON_TEXT}},"jsonrpc":"2.0","id":7}`],
  [
    "as the SDK for Python",
    `{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":${JSON_TEXT},"isError":false}}`,
  ],
  [
    "with spaces, and CRLF at its end",
    `{"jsonrpc": "2.0", "id": "7", "result": {"structuredContent": ${JSON_TEXT}, "isError": false}}\r`,
  ],
  [
    "with a copy as text",
    `{"id":7,"result":{"content":${JSON.stringify([{ type: "text", text: `{"structuredContent":${JSON_TEXT}}` }])},"structuredContent":${JSON_TEXT}}}`,
  ],
])("an answer that is written %s keeps its content as text until it is read", (_, line) => {
  const result = read(line) ?? {};
  expect(String(printedContent(result)).trim()).toBe(JSON_TEXT);
  expect(result["structuredContent"]).toEqual(VALUE);
  const parsed = JSON.parse(line) as { result: JsonObject };
  expect(result).toEqual(parsed.result);
});

test.each([
  ["has it twice", `{"result":{"structuredContent":{"a":1},"structuredContent":{"a":2}},"id":7}`],
  ["goes on after it", `{"result":{"structuredContent":{"a":1},"isError":true},"id":7}`],
  ["has it somewhere else", `{"result":{"_meta":{"structuredContent":{"a":1}}},"id":7}`],
  ["has it in its error", `{"id":7,"error":{"code":1,"message":"","data":{"structuredContent":{"a":1}}}}`],
  ["has a list there", `{"result":{"structuredContent":[{"a":1}]},"id":7}`],
  ["is no JSON around it", `{"result":{"content":],"structuredContent":{"a":1}},"id":7}`],
  ["is a notification", `{"method":"note","params":{"structuredContent":{"a":1}}}`],
  ["is a batch", `[{"result":{"structuredContent":{"a":1}},"id":7}]`],
  ["has none", `{"result":{"content":[]},"id":7}`],
  // Put into a reply as it is, it would speak for the host.
  ["closes it early", `{"result":{"structuredContent":{"a":1},"ok":false,"error":{"b":{}}},"id":7}`],
  ["opens a string that does not end", `{"result":{"structuredContent":{"a":"1}},"id":7}`],
])("an answer that %s is left to be parsed as a whole", (_, line) => {
  expect(read(line)).toBeUndefined();
});

test("what is broken inside of it is found when it is read", () => {
  const line = `{"result":{"structuredContent":{"a":}},"id":7}`;
  expect(() => (read(line) ?? {})["structuredContent"]).toThrow(SyntaxError);
  expect(() => parsePrinted(read(line) ?? {})).toThrow(SyntaxError);
});

test("no key of it reaches a prototype", () => {
  const result = parsePrinted(read(`{"result":{"structuredContent":{"__proto__":{"a":1}}},"id":7}`) ?? {});
  expect(Object.keys(result["structuredContent"] as object)).toEqual(["__proto__"]);
  expect((result["structuredContent"] as { a?: unknown }).a).toBeUndefined();
});
