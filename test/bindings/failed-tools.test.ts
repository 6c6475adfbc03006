import { extraContent, toReply } from "../../runtime/bindings/reply-of-result.ts";
import { toCodemodeError } from "../../runtime/bindings/reply.ts";
import { expect, test } from "vitest";

const TOOL = { serverId: "s", toolName: "t" };
const HINT = "Read the message, change the input, and call again.";
const text = (value: string): object => ({ type: "text", text: value });

test.each<[name: string, result: Record<string, unknown>, want: object]>([
  ["a text", { content: [text("why")] }, { message: "why", hint: HINT, data: undefined }],
  [
    "structured content alone",
    { content: [], structuredContent: { message: "only here", code: 7 } },
    { message: "only here", data: { message: "only here", code: 7 } },
  ],
  [
    "an error within it",
    { structuredContent: { error: { message: "inner" } } },
    { message: "inner", data: { error: { message: "inner" } } },
  ],
  [
    "structured content without a message",
    { content: [], structuredContent: { code: 7 } },
    { message: '{"code":7}', data: { code: 7 } },
  ],
  [
    "a resource",
    { content: [{ type: "resource", resource: { uri: "a:b", text: "in a file" } }] },
    { message: "in a file" },
  ],
  [
    "text and structured content",
    { content: [text("why")], structuredContent: { code: 7 } },
    { message: "why", data: { code: 7 } },
  ],
  [
    "a hint of its own",
    { content: [text("GET /a answered 401\nno\nhint: set PETS_KEY, or give --header.")] },
    {
      message: "GET /a answered 401\nno\nhint: set PETS_KEY, or give --header.",
      hint: "The message says what to do; if you cannot do it, tell the user.",
    },
  ],
  [
    "the answer of an API",
    {
      content: [text("GET /a answered 429")],
      _meta: { "dev.codemode/http": { status: 429, headers: { "retry-after": "7" } } },
    },
    { status: 429, retryAfterMs: 7_000 },
  ],
  [
    "nothing",
    { content: [] },
    { message: 'The tool "t" of "s" failed without a message.', status: undefined, data: undefined },
  ],
  [
    "nulls",
    { content: null, structuredContent: null, _meta: null },
    { message: 'The tool "t" of "s" failed without a message.' },
  ],
])("a failed tool says what it said: %s", (_, result, want) => {
  const reply = toReply({ ...result, isError: true }, TOOL);
  if (reply.ok) throw new Error("It did not fail.");
  // As it crosses to the sandbox.
  const error = toCodemodeError(JSON.parse(JSON.stringify(reply.error)) as typeof reply.error, TOOL);
  expect(error).toMatchObject({ name: "ToolCallError", ...want });
});

const failureOf = (result: Record<string, unknown>) => {
  const reply = toReply({ ...result, isError: true }, TOOL);
  if (reply.ok) throw new Error("It did not fail.");
  return reply.error;
};

test("several texts are lines, and empty ones and pictures are none", () => {
  const content = [text("one"), text(""), { type: "image", data: "AAAA" }, null, text("two"), { type: "resource" }];
  expect(failureOf({ content }).message).toBe("one\ntwo");
});

test.each<[string, unknown, string]>([
  ["its message", { message: "m", error: "e", detail: "d", title: "t" }, "m"],
  ["the text of its error", { message: 7, error: "e", detail: "d" }, "e"],
  ["its detail", { message: "", error: null, detail: "d", title: "t" }, "d"],
  ["its title", { title: "t" }, "t"],
  ["all of it", { code: 7 }, '{"code":7}'],
  ["its beginning where it is long", "x".repeat(2_000), ""],
])("of structured content %s is the message", (_, structured, message) => {
  const whole = typeof structured === "string" ? { text: structured } : structured;
  const printed = JSON.stringify(whole);
  const want = message === "" ? `${printed.slice(0, 2_000)}…` : message;
  expect(failureOf({ structuredContent: whole }).message).toBe(want);
});

test("structured content of just the length is whole, and with one more it is cut", () => {
  const sized = (length: number) => ({ text: "x".repeat(length - '{"text":""}'.length) });
  expect(failureOf({ structuredContent: sized(2_000) }).message).toBe(JSON.stringify(sized(2_000)));
  expect(failureOf({ structuredContent: sized(2_001) }).message).toHaveLength(2_001);
});

test("structured content that is too long for an error, or cannot be read, is no detail of it", () => {
  const sized = (length: number) => ({ text: "x".repeat(length - '{"text":""}'.length) });
  expect(failureOf({ content: [text("a")], structuredContent: sized(65_536) }).details?.["data"]).toBeDefined();
  expect(failureOf({ content: [text("a")], structuredContent: sized(65_537) })).not.toHaveProperty("details");
  const unreadable = Object.defineProperty({}, "structuredContent", {
    enumerable: false,
    get: () => JSON.parse("no JSON") as unknown,
  });
  expect(failureOf(Object.assign(unreadable, { content: [text("a")] })).message).toBe("a");
});

test.each([
  ["7", 7_000],
  ["0", 0],
  ["-1", undefined],
  ["soon", undefined],
  ["Mon, 01 Jan 2024 00:00:00 GMT", 0],
  [undefined, undefined],
])("a wait of %j is %s ms", (wait, retryAfterMs) => {
  const headers = wait === undefined ? null : { "retry-after": wait };
  const { details } = failureOf({ content: [text("a")], _meta: { "dev.codemode/http": { status: "429", headers } } });
  expect(details).toEqual(retryAfterMs === undefined ? undefined : { retryAfterMs });
});

test("a tool for other clients says so", () => {
  expect(failureOf({ content: [text("Client does not support sampling")] }).hint).toContain("offers sampling");
});

test.each<[string, Record<string, unknown>, unknown[]]>([
  ["a text of the same", { structuredContent: { a: 1 }, content: [text(' {"a":1}')] }, []],
  ["a list as text", { structuredContent: [1], content: [text("[1]")] }, []],
  ["no content", { structuredContent: { a: 1 } }, []],
  ["content that is no list", { structuredContent: { a: 1 }, content: "x" }, []],
  ["content alone", { content: [text("x"), text("y")] }, []],
  ["other words", { structuredContent: { a: 1 }, content: [text("see {a}")] }, [text("see {a}")]],
  [
    "a picture beside the text",
    { structuredContent: { a: 1 }, content: [text("{}"), { type: "image" }, null] },
    [text("{}"), { type: "image" }, null],
  ],
])("beside structured content is kept: %s", (_, result, content) => {
  expect(extraContent(result)).toEqual(content);
  const reply = toReply(result, TOOL);
  expect(reply.ok && "content" in reply).toBe(content.length > 0);
});
