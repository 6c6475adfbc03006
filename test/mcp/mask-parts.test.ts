import { expect, test } from "vitest";
import type { ServerConnection, ServerTarget } from "@codemode/runtime/connections/connect-server";
import { holdPrinted, printedContent } from "@codemode/runtime/connections/printed-content";
import { findCredentials, maskCredentials } from "../../runtime/mcp/mask-credentials.ts";
import { maskTexts } from "../../schemas/secrets/mask-json.ts";
import { refused } from "../../runtime/host/checks/refuse.ts";
import type { JsonObject } from "../../schemas/json/json.ts";

const targetOf = (env: Record<string, string>, literals: Record<string, string> = {}): ServerTarget =>
  ({
    ...{ id: "s", name: "s", transport: "stdio", command: "x", args: [], cwd: "/", timeoutMs: 1 },
    ...{ env, literals, secrets: {} },
  }) as unknown as ServerTarget;

test("credentials are what is called so or looks so, and is not as short as a word", () => {
  expect(findCredentials(targetOf({ API_TOKEN: "123456", PASSWORD: "12345", MODE: "production" }))).toEqual({
    API_TOKEN: "123456",
  });
  expect(findCredentials(targetOf({ MODE: "production" }, { "args[0]": "s3cr3t", "args[1]": "short" }))).toEqual({
    "args[0]": "s3cr3t",
  });
});

function connectionOf(result: JsonObject) {
  const seen: unknown[] = [];
  const connection = {
    ...{ id: "s", ending: "ended", renewals: 3 },
    snapshot: async (signal: unknown) => {
      seen.push(signal);
      return { tools: [{ name: "has 123456" }], none: null };
    },
    callTool: async (...call: unknown[]) => {
      seen.push(call);
      return result;
    },
    onToolsChanged: (listener: unknown) => {
      seen.push(listener);
      return "stop";
    },
    close: () => "closed",
  } as unknown as ServerConnection;
  return { connection, seen };
}

test("a connection is masked in what it sends, and is the same in all else", async () => {
  const { connection, seen } = connectionOf({ content: [{ text: "123456" }], structuredContent: null });
  expect(maskCredentials(connection, targetOf({ MODE: "production" }))).toBe(connection);
  const masked = maskCredentials(connection, targetOf({ API_TOKEN: "123456" }));
  expect([masked.id, masked.ending, masked.renewals, masked.close()]).toEqual(["s", "ended", 3, "closed"]);
  const { signal } = new AbortController();
  expect(await masked.snapshot(signal)).toEqual({ tools: [{ name: "has [redacted: API_TOKEN]" }], none: null });
  expect(await masked.callTool("t", { a: 1 })).toEqual({
    content: [{ text: "[redacted: API_TOKEN]" }],
    structuredContent: null,
  });
  const listener = () => {};
  expect(masked.onToolsChanged(listener)).toBe("stop");
  expect(seen).toEqual([signal, ["t", { a: 1 }, {}], listener]);
});

test.each([
  ['{"a":"plain"}', true],
  ['{"a":"123456"}', false],
])("the unparsed text %s stays text: %j", async (json, isText) => {
  const result: JsonObject = { content: [{ text: "123456" }] };
  holdPrinted(result, Buffer.from(json));
  const masked = maskCredentials(connectionOf(result).connection, targetOf({ API_TOKEN: "123456" }));
  const passed = await masked.callTool("t", {});
  expect(printedContent(passed) !== undefined).toBe(isText);
  expect(JSON.stringify(passed)).not.toContain("123456");
});

test("a long answer that holds no own credential is looked at where credentials of others are in use", async () => {
  const json = '{"a":"theirs"}';
  const others = (isUsed: boolean) => ({
    isInUse: () => isUsed,
    redact: (text: string) => text.replaceAll("theirs", "[masked]"),
  });
  const call = async (isUsed: boolean) => {
    const result: JsonObject = { content: [] };
    holdPrinted(result, Buffer.from(json));
    const { connection } = connectionOf(result);
    return maskCredentials(connection, targetOf({ API_TOKEN: "123456" }), { others: others(isUsed) }).callTool("t", {});
  };
  const passed = await call(false);
  expect(printedContent(passed)?.toString()).toBe(json);
  const masked = await call(true);
  expect(printedContent(masked)).toBeUndefined();
  expect(masked).toMatchObject({ structuredContent: { a: "[masked]" } });
});

test("questions, logs and progress of a call are masked, and belong to the same person", async () => {
  const { connection, seen } = connectionOf({});
  const heard: unknown[] = [];
  const listener = {
    person: "ada",
    elicit: async (params: JsonObject) => {
      heard.push(params);
      return { action: "accept" };
    },
    log: (message: unknown) => void heard.push(message),
  };
  const masked = maskCredentials(connection, targetOf({ API_TOKEN: "123456" }));
  await masked.callTool("t", {}, { listener, onProgress: (progress: unknown) => void heard.push(progress) } as never);
  const [, , options] = seen[0] as [
    string,
    JsonObject,
    { listener: typeof listener; onProgress(value: unknown): void },
  ];
  expect(options.listener.person).toBe("ada");
  expect(await options.listener.elicit({ message: "is it 123456?" })).toEqual({ action: "accept" });
  options.listener.log({ text: "has 123456" });
  options.onProgress({ message: "at 123456" });
  const mask = "[redacted: API_TOKEN]";
  expect(heard).toEqual([{ message: `is it ${mask}?` }, { text: `has ${mask}` }, { message: `at ${mask}` }]);
});

test("strings are masked at every depth, and nothing else is touched", () => {
  const value = [null, 1, true, "a", { a: "a", b: [null, { c: "a" }] }];
  expect(maskTexts(value, (text) => `<${text}>`)).toEqual([
    ...[null, 1, true, "<a>"],
    { "<a>": "<a>", "<b>": [null, { "<c>": "<a>" }] },
  ]);
});

test("a refusal is a reply without details that there are not", () => {
  expect(refused("ToolCallError", "No.", "Wait.")).toStrictEqual({
    ok: false,
    error: { errorClass: "ToolCallError", message: "No.", hint: "Wait." },
  });
});
