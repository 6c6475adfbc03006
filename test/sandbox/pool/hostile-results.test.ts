import { describe, expect, test } from "vitest";
import type { PrintedReply } from "../../../runtime/sandbox/pool/handle-call.ts";
import { makeToolCallDispatcher } from "../../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { printAnswer } from "../../../serve/answers/print-answer.ts";
import { executeTakenOver } from "./taken-over.ts";

/** Longer than what is decoded with its frame. */
const PADDING = '" ".repeat(300_000)';

/** Ends a run with this body: the source of an expression for a text. */
const resultOf = (body: string): string => `json({ type: "result", truncations: [], unawaited: [] }, ${body});`;

const quoted = (text: string): string => JSON.stringify(text);

describe("a long result of a process that was taken over", () => {
  test.each([
    ["no JSON", quoted("{bad")],
    ["truncated", quoted('{"a":["b')],
    ["followed by another value", quoted('{"a":1} {"b":2}')],
    ["an end of the answer", quoted('1},"diagnostics":[{')],
    ["nested too deep", '"[".repeat(400) + "]".repeat(400)'],
  ])("ends the run where it is %s", async (_, body) => {
    const { ending } = await executeTakenOver(resultOf(`${PADDING} + ${body}`));
    expect(ending).toEqual({ kind: "broken", reason: "a result that is not JSON" });
  });

  test.each<[string, string, JsonValue]>([
    ["__proto__ twice", '{"__proto__":{"a":1},"__proto__":{"b":2}}', JSON.parse('{"__proto__":{"b":2}}') as JsonValue],
    ["half of a surrogate pair", '["\\ud800","\\udc00x"]', ["\ud800", "\udc00x"]],
    [
      "numbers that are too large",
      "[1e999,-1e999,123456789012345678901234567890]",
      [null, null, 123456789012345680000000000000],
    ],
    ["separators of lines", '"\u2028\u2029"', "\u2028\u2029"],
  ])("is JSON in the answer although it has %s", async (_, body, expected) => {
    const { ending } = await executeTakenOver(resultOf(`${PADDING} + ${quoted(body)}`));
    const value = ending.kind === "result" ? ending.value : undefined;
    const answer = JSON.parse(
      printAnswer({ logs: [], result: value ?? "none", diagnostics: [], toolTrace: [] }),
    ) as object;
    expect(answer).toEqual({ logs: [], result: expected, diagnostics: [], toolTrace: [] });
    expect(Object.hasOwn({}, "b")).toBe(false);
  });
});

test("the value of a reply that was passed on as text is given for that text alone", async () => {
  const reply: PrintedReply = {
    ok: true,
    json: Buffer.from('{"n":1}'),
    checkLater: () => undefined,
    readValue: () => ({ n: 1 }),
  };
  const dispatcher = makeToolCallDispatcher(async () => reply, 1);
  expect(dispatcher.findParsed?.(Buffer.from('{"n":1}'))).toBeUndefined();
  await new Promise<void>((resolve) => {
    dispatcher.accept({ serverId: "s", toolName: "t", inputJson: "{}" }, () => resolve());
  });
  expect(dispatcher.findParsed?.(Buffer.from('{"n":1}'))).toEqual({ n: 1 });
  expect(dispatcher.findParsed?.(Buffer.from('{"n":2}'))).toBeUndefined();
});
