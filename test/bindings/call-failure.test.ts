import {
  describeCallFailure,
  describeNotConnected,
  describeUnknownServer,
  describeUnknownTool,
  type FailedExchange,
  hintForMissingClient,
  isPassingStatus,
} from "@codemode/runtime/call-failure";
import type { Audience } from "../../schemas/audience.ts";
import { expect, test } from "vitest";

const failed = (kind: string, more: Partial<FailedExchange> = {}): FailedExchange => ({
  ...{ kind, message: "of the server", hint: "Do something else." },
  ...more,
});
const describe = (failure: FailedExchange, toolName = "t", audience?: Audience) =>
  describeCallFailure(failure, { serverId: "s", toolName }, audience);

test.each<[FailedExchange, string, string, string]>([
  [failed("rpc-error"), "ToolCallError", "of the server", "Do something else."],
  [failed("rpc-error", { status: 400 }), "ToolCallError", "of the server", "Do something else."],
  [failed("rpc-error", { status: 503 }), "ToolCallError", "of the server", "Try again."],
  [failed("rpc-error", { status: 429, retryAfterMs: 1_500 }), "ToolCallError", "of the server", "Try again after 2 s."],
  [failed("timeout"), "ToolCallError", 'The tool "t" of "s" did not answer in time.', "Ask it for less at a time"],
  [failed("timeout", { limit: 2_500 }), "ToolCallError", "did not answer within 2.5 s.", '"timeoutMs" of "s"'],
  [failed("too-large"), "ToolCallError", 'The answer of "t" was too large to receive.', "Ask the tool for less"],
  [failed("too-large", { limit: 10 }), "ToolCallError", "to receive: the limit is 10 bytes.", "Ask the tool for less"],
  [
    failed("unauthorized"),
    "AuthenticationError",
    'The server "s" refused the credentials (unauthorized).',
    "Log in with `codemode login s`.",
  ],
  [failed("forbidden"), "AuthenticationError", "refused the credentials (forbidden).", "Ask for access to it."],
  [
    failed("http-error"),
    "ToolCallError",
    'The server "s" answered the call of "t" with HTTP error',
    "Change the input",
  ],
  [failed("http-error", { status: 422, said: "no sum" }), "ToolCallError", "HTTP 422: no sum", "Change the input"],
  [failed("http-error", { status: 500 }), "ToolCallError", "with HTTP 500", "Try again."],
  [
    failed("protocol"),
    "ToolCallError",
    'The answer of "t" of the server "s" cannot be used (protocol).',
    "Do without it",
  ],
  [failed("protocol", { said: "no JSON" }), "ToolCallError", "(protocol): no JSON", "Do without it"],
  ...["closed", "cancelled", "interrupted", "session-lost"].map((kind): [FailedExchange, string, string, string] => [
    failed(kind),
    "ToolCallError",
    `The call of "t" was broken off by the server "s" (${kind}).`,
    "Try again.",
  ]),
  [failed("spawn"), "ServerNotFoundError", 'The server "s" could not be reached.', "Check it with `codemode lock s`."],
])("%j in words", (failure, errorClass, message, hint) => {
  const { details: _, ...words } = describe(failure);
  expect(words).toEqual({
    errorClass,
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});

test("only what a JSON-RPC error says is passed on: other messages can hold what is of the machine", () => {
  const kinds = ["timeout", "too-large", "unauthorized", "forbidden", "http-error", "protocol", "closed", "spawn"];
  for (const kind of kinds) expect(JSON.stringify(describe(failed(kind)))).not.toContain('of the server"');
});

test("an error has the facts that are known, and no other field", () => {
  expect(describe(failed("rpc-error"))).not.toHaveProperty("details");
  expect(describe(failed("rpc-error", { status: 400, data: { a: 1 } })).details).toEqual({
    status: 400,
    data: { a: 1 },
  });
  expect(describe(failed("http-error", { retryAfterMs: 0, data: null })).details).toEqual({
    retryAfterMs: 0,
    data: null,
  });
});

test("what was called is named by its kind", () => {
  const named = (toolName: string) => describe(failed("timeout"), toolName).message;
  expect(named("prompt:review")).toContain('The prompt "review" of');
  expect(named("resource:note:///{a}\nb")).toContain('The resource "note:///{a}\nb" of');
  expect(named("my-prompt:review")).toContain('The tool "my-prompt:review" of');
});

test("a hint for an agent has no command", () => {
  for (const kind of ["unauthorized", "spawn"]) {
    const { hint } = describe(failed(kind), "t", "agent");
    expect(hint).toMatch(/tell the user/i);
    expect(hint).not.toContain("codemode ");
  }
  expect(describeNotConnected("s").hint).toContain("codemode lock s");
});

test.each([
  [408, true],
  [425, true],
  [429, true],
  [500, true],
  [599, true],
  [404, false],
  [409, false],
  [428, false],
  [499, false],
  [undefined, false],
])("the status %s may pass: %s", (status, passes) => {
  expect(isPassingStatus(status)).toBe(passes);
});

test.each([
  ["Client does not support elicitation (required by x)", "elicitation"],
  ["client does not support Sampling", "sampling"],
  ["This tool requires task augmentation", "tasks"],
  ["client does not support task requests", "task"],
  ["client does not support flying", undefined],
  ["something else", undefined],
])("%j needs another client", (message, part) => {
  const hint = hintForMissingClient(message);
  if (part === undefined) expect(hint).toBeUndefined();
  else expect(hint).toBe(`This tool needs a client that offers ${part}; it cannot be used from scripts.`);
});

test("a name that is not there has the nearest one that is, or what else to do", () => {
  expect(describeUnknownServer("fles", ["files"], "Look.")).toEqual({
    errorClass: "ServerNotFoundError",
    message: 'There is no server "fles".',
    hint: 'Did you mean "files"?',
  });
  expect(describeUnknownTool({ serverId: "s", toolName: "prompt:x" }, ["unlike"], "Look.")).toEqual({
    errorClass: "ToolNotFoundError",
    message: 'The server "s" has no prompt "x".',
    hint: "Look.",
  });
});
