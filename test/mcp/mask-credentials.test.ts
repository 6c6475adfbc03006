import { describe, expect, test } from "vitest";
import type { ConnectionError } from "../../runtime/mcp/client/connection-error.ts";
import { type ConnectionFailures, makeConnectionFailures } from "../../runtime/mcp/client/connection-failures.ts";
import type { ServerTarget } from "@codemode/runtime/connections/connect-server";
import type { CallOptions, ServerConnection } from "@codemode/runtime/connections/server-connection";
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

/** A connection whose server says this text in all that it sends: its list, its result, a question, a log message and progress. */
function connectionOf(said: string, result: JsonObject = { content: [] }): ServerConnection {
  return {
    ...{ id: "s", ending: "ended", renewals: 3 },
    snapshot: async () => ({ tools: [{ name: said }], none: null }),
    async callTool(_name: string, _input: JsonObject, { listener, onProgress }: CallOptions = {}) {
      await listener?.elicit({ message: said } as never, new AbortController().signal);
      listener?.log?.({ text: said } as never);
      onProgress?.({ message: said } as never);
      return result;
    },
    onToolsChanged: () => "stop",
    close: () => "closed",
  } as unknown as ServerConnection;
}

const SECRET = "s3cret-0123456789";
const OWN = targetOf({ API_TOKEN: SECRET });

/** Whose a credential is, and how each is masked: what a call and a failure get of it. */
const OWNERS = {
  own: { mask: "[redacted: API_TOKEN]", target: OWN, learn: undefined, others: undefined },
  ofLogin: { mask: "[redacted: login]", target: targetOf({}), learn: "login", others: undefined },
  ofOthers: {
    ...{ mask: "[another's]", target: targetOf({}), learn: undefined },
    others: { isInUse: () => true, redact: (text: string) => text.replaceAll(SECRET, "[another's]") },
  },
};
type Owner = (typeof OWNERS)[keyof typeof OWNERS];

/** What is heard of a call whose server says this. */
async function hear({ target, others }: Owner, said: string, result: JsonObject = { content: [] }) {
  const masked = maskCredentials(connectionOf(said, result), target, { others });
  const heard: { [place: string]: unknown } = {};
  const listener = {
    person: "ada",
    elicit: async (params: unknown) => {
      heard["question"] = params;
      return { action: "accept" };
    },
    log: (message: unknown) => void (heard["log"] = message),
  };
  const onProgress = (progress: unknown) => void (heard["progress"] = progress);
  heard["result"] = await masked.callTool("t", { a: 1 }, { listener, onProgress } as never);
  return heard;
}

/** What is said of a failure: its message and its fields, and its hint. */
function fail(owner: Owner, make: (failures: ConnectionFailures) => ConnectionError): unknown {
  const failures = makeConnectionFailures(owner.target, owner.others?.redact);
  if (owner.learn !== undefined) failures.learnSecret(owner.learn, SECRET);
  const { message, hint, stderr, data, said } = make(failures);
  return { message, hint, stderr, data, said };
}

const EXIT = { code: 1, signal: null };

/** Where a server's text comes to a script, its logs, an answer, the lockfile or a person. `said` has the credential in it. */
type Place = [place: string, look: (owner: Owner, said: string) => unknown];

const ANSWERS: Place[] = [
  [
    "its list of tools",
    ({ target, others }, said) => maskCredentials(connectionOf(said), target, { others }).snapshot(),
  ],
  ["text of a result", (owner, text) => hear(owner, "", { content: [{ text }] })],
  ["structured content", (owner, said) => hear(owner, "", { content: [], structuredContent: [{ a: [said] }] })],
  ["the name of a member", (owner, said) => hear(owner, "", { content: [], structuredContent: { [said]: 1 } })],
  ["a question", async (owner, said) => (await hear(owner, said))["question"]],
  ["a log message", async (owner, said) => (await hear(owner, said))["log"]],
  ["progress", async (owner, said) => (await hear(owner, said))["progress"]],
];

const failing =
  (make: (failures: ConnectionFailures, said: string) => ConnectionError) => (owner: Owner, said: string) =>
    fail(owner, (failures) => make(failures, said));

const FAILURES: Place[] = [
  ["its last words", failing((all, stderr) => all.endedAtStart(EXIT, { stderr, printed: "" }))],
  ["what it printed", failing((all, printed) => all.endedAtStart(EXIT, { stderr: "", printed }))],
  [
    "words of a start that takes too long",
    failing((all, said) => all.startTimedOut(1, { stderr: said, printed: said })),
  ],
  ["its command", failing((all, said) => all.notStarted("command-not-found", said))],
  ["an error", failing((all, message) => all.rpcError(message, { code: 1, message }))],
  ["data of an error", failing((all, said) => all.rpcError("", { code: 1, message: "", data: { [said]: [said] } }))],
  ["what it gets wrong", failing((all, said) => all.protocol(said))],
  ["what it asks its client for", failing((all, said) => all.clientLacks(said))],
  ["why it is not reached", failing((all, said) => all.unreachable(said))],
  ["why it lets no one in", failing((all, said) => all.loginFailed(said))],
  ["a scope that it wants", failing((all, said) => all.forbidden(said))],
  ["the body of an HTTP error", failing((all, said) => all.httpError(said, said, { status: 500 }))],
  ["where it redirects to", failing((all, location) => all.httpError("", "", { status: 302, location }))],
];

describe.each([
  ["own", OWNERS.own, [...ANSWERS, ...FAILURES]],
  // Its transport masks it in answers: `connections/login.test.ts`.
  ["read at a login", OWNERS.ofLogin, FAILURES],
  ["another client's", OWNERS.ofOthers, [...ANSWERS, ...FAILURES]],
])("a credential that is %s", (_, owner, places) => {
  test.each(places)("is masked in %s", async (_place, look) => {
    const shown = JSON.stringify(await look(owner, `x ${SECRET} y`));
    expect(shown).toContain(`x ${owner.mask} y`);
    expect(shown).not.toContain(SECRET);
  });
});

test("of a credential in which a line is cut nothing is shown", () => {
  for (let before = 100; before < 160; before += 1) {
    const said = `${"y".repeat(before)}${SECRET}`;
    const words = fail(OWNERS.own, (all) => all.endedAtStart(EXIT, { stderr: said.repeat(99), printed: said }));
    expect(JSON.stringify(words)).not.toContain(SECRET.slice(0, 4));
  }
});

test("a value that comes from elsewhere than the environment of a server is masked under its own name, and the longer one first", () => {
  const target = { ...targetOf({ TOKEN: "hunter-2" }), secrets: { API_KEY: "token hunter-2" } } as ServerTarget;
  const { message } = makeConnectionFailures(target).protocol("token hunter-2 hunter-2");
  expect(message).toContain("[redacted: API_KEY] [redacted: TOKEN]");
});

test("a connection is the same in all that is no text of the server's", async () => {
  const plain = connectionOf("");
  expect(maskCredentials(plain, targetOf({ MODE: "production" }))).toBe(plain);
  const masked = maskCredentials(plain, OWN);
  expect([masked.id, masked.ending, masked.renewals, masked.close(), masked.onToolsChanged(() => {})]).toEqual([
    ...["s", "ended", 3, "closed", "stop"],
  ]);
  const seen: unknown[][] = [];
  const { signal } = new AbortController();
  Object.assign(plain, { snapshot: async (...call: unknown[]) => seen.push(call) && {} });
  Object.assign(plain, { callTool: async (...call: unknown[]) => seen.push(call) && { content: [] } });
  await masked.snapshot(signal);
  await masked.callTool("t", { a: 1 });
  await masked.callTool("t", {}, { listener: { person: "ada", elicit: async () => ({ action: "decline" }) } } as never);
  expect(seen).toMatchObject([[signal], ["t", { a: 1 }, {}], ["t", {}, { listener: { person: "ada" } }]]);
});

test.each([
  ['{"a":"plain"}', true],
  [`{"a":"${SECRET}"}`, false],
])("the unparsed text %s stays text: %j", async (json, isText) => {
  const result: JsonObject = { content: [{ text: SECRET }] };
  holdPrinted(result, Buffer.from(json));
  const passed = await maskCredentials(connectionOf("", result), OWN).callTool("t", {});
  expect(printedContent(passed) !== undefined).toBe(isText);
  expect(JSON.stringify(passed)).not.toContain(SECRET);
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
    return maskCredentials(connectionOf("", result), OWN, { others: others(isUsed) }).callTool("t", {});
  };
  const passed = await call(false);
  expect(printedContent(passed)?.toString()).toBe(json);
  const masked = await call(true);
  expect(printedContent(masked)).toBeUndefined();
  expect(masked).toMatchObject({ structuredContent: { a: "[masked]" } });
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
