import { toReply } from "../../runtime/bindings/reply-of-result.ts";
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
