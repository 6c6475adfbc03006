import { toReply } from "../../runtime/bindings/reply-of-result.ts";
import { unwrapToolResult } from "@codemode/runtime/unwrap";
import { expect, test } from "vitest";

const text = (value: string): object => ({ type: "text", text: value });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };

// Specification 5.3.2, its rules in their order.
test.each([
  ["structuredContent, and content is ignored", { structuredContent: { a: 1 }, content: [text("x")] }, { a: 1 }],
  ["structuredContent that is null", { structuredContent: null, content: [text("x")] }, null],
  ["a single text", { content: [text("hello")] }, "hello"],
])("%s", (_, result, want) => {
  expect(unwrapToolResult(result)).toEqual(want);
});

test.each([
  ["an image", { content: [image] }],
  ["an image beside a text", { content: [text("x"), image] }],
  ["two texts", { content: [text("x"), text("y")] }],
  ["no content", { content: [] }],
  ["a text block without a text", { content: [{ type: "text" }] }],
  ["something else", { toolResult: 42 }],
])("the whole result for %s", (_, result) => {
  expect(unwrapToolResult(result)).toBe(result);
});

test("a failed tool has one hint: where its message says what to do, ours points there", () => {
  const hintOf = (text: string): string => {
    const reply = toReply({ isError: true, content: [{ type: "text", text }] }, { serverId: "shop", toolName: "list" });
    return reply.ok ? "" : reply.error.hint;
  };
  expect(hintOf("GET /orders answered 401\nhint: renew OPENAPI_JWT")).not.toContain("change the input");
  expect(hintOf("no such order")).toBe("Read the message, change the input, and call again.");
});
