import { describe, expect, test } from "vitest";
import { ConnectionError, type ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";
import { parseIncoming } from "@codemode/runtime/connections/wire/json-rpc";
import { holdPrinted } from "@codemode/runtime/connections/printed-content";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { DriftRefusal } from "../../runtime/host/lock/make-call-gate.ts";
import { makeToolCaller, type ToolCallerOptions } from "../../runtime/host/make-tool-caller.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import type { RunEvent } from "../../schemas/run/events.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import { toRefusal } from "../../runtime/host/checks/refuse.ts";
import type { PrintedReply, ToolHost } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

const OUTPUT = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const lockfile = lockfileOf({
  s: [
    { name: "t", outputSchema: OUTPUT },
    { name: "u", outputSchema: OUTPUT },
  ],
});
const tools = (lockfile.servers.get("s")?.tools ?? []).map(({ name, exportName, integrity }) => ({
  ...{ serverId: "s", toolName: name, exportName, integrity },
}));
const CALL = { serverId: "s", toolName: "t", input: { a: 1 } };

/** A connection that gives what `answer` gives, and all that a caller is seen to do. */
function setUp(answer: () => JsonObject, changes: Partial<ToolCallerOptions> = {}) {
  const reported: Diagnostic[] = [];
  const sent: unknown[][] = [];
  const seen: unknown[] = [];
  const emit = (event: RunEvent): void => {
    if (event.type !== "call-settled") return;
    const { outcome, code } = event;
    seen.push(code === undefined ? outcome : `${outcome} ${code}`);
  };
  const enterCall: ToolCallerOptions["enterCall"] = (number) => ({
    meta: { trace: number },
    within: (send) => {
      seen.push("within");
      return send();
    },
  });
  const options: ToolCallerOptions = {
    ...{ lockfile, manifest: { tools }, access: ownAccess(DEFAULTS.policy), granted: [] },
    ...{
      checkInput: makeInputCheck(),
      checkOutput: makeOutputCheck(),
      report: (diagnostic) => reported.push(diagnostic),
    },
    connectionOf: async () => ({
      callTool: async (...call: unknown[]) => {
        sent.push(call);
        return answer();
      },
    }),
    ...{ emit, enterCall },
    ...changes,
  };
  return {
    call: makeToolCaller(options),
    host: makeToolHost({ ...options, discover: async () => ({ ok: true, value: "found" }) }) as Required<ToolHost>,
    reported,
    sent,
    seen,
  };
}

const { signal } = new AbortController();
const UNHEARD = { emit: undefined, enterCall: undefined };
const RIGHT = { content: [], structuredContent: { n: 1 } };
const WRONG = { content: [], structuredContent: { n: "1" } };

test("a call goes out once, with its signal, its trace and no more time than its run", async () => {
  const { call, sent, seen, reported } = setUp(() => RIGHT, { maxCallMs: 5 });
  expect(await call(CALL, signal)).toEqual({ ok: true, result: RIGHT });
  expect(sent).toEqual([["t", { a: 1 }, { signal, leavesText: false, meta: { trace: 1 }, maxTotalMs: 5 }]]);
  expect({ seen, reported }).toEqual({ seen: ["within", "ok"], reported: [] });
});

test("without a listener, and with text left as it is", async () => {
  const { call, sent } = setUp(() => RIGHT, UNHEARD);
  expect(await call(CALL, signal, { leavesText: true })).toEqual({ ok: true, result: RIGHT });
  expect(sent).toEqual([["t", { a: 1 }, { signal, leavesText: true, meta: undefined }]]);
});

test("calls that are refused, skipped or fail end in the same way without a listener", async () => {
  const refused = setUp(() => RIGHT, { ...UNHEARD, manifest: { tools: [] } });
  expect(await refused.call(CALL, signal)).toMatchObject({ ok: false, error: { errorClass: "ToolNotFoundError" } });
  const dryRun = { answer: () => RIGHT } as unknown as NonNullable<ToolCallerOptions["dryRun"]>;
  expect(await setUp(() => WRONG, { ...UNHEARD, dryRun }).call(CALL, signal)).toEqual({ ok: true, result: RIGHT });
  const error = toRefusal("ToolCallError", "It differs.", "Look at it.");
  const failures = [new DriftRefusal(error), new ConnectionError("closed", "gone", { serverName: "s", hint: "" })];
  const outcomes = failures.map((failure) => {
    const fail = (): never => {
      throw failure;
    };
    return setUp(fail, UNHEARD).call(CALL, signal);
  });
  const failed = { ok: false, error: { errorClass: "ToolCallError" } };
  expect(await Promise.all(outcomes)).toMatchObject([failed, failed]);
});

test("what is refused never goes out", async () => {
  const { call, sent, seen } = setUp(() => RIGHT, { manifest: { tools: [] } });
  expect(await call(CALL, signal)).toEqual({
    ok: false,
    error: expect.objectContaining({ errorClass: "ToolNotFoundError" }),
  });
  expect({ sent, seen }).toEqual({ sent: [], seen: ["refused ToolNotFoundError"] });
});

test("what a dry run answers never goes out, what it leaves does", async () => {
  const dryRun = { answer: (tool: { name: string }) => (tool.name === "t" ? { content: [] } : undefined) };
  const { call, sent, seen } = setUp(() => RIGHT, {
    dryRun: dryRun as unknown as NonNullable<ToolCallerOptions["dryRun"]>,
  });
  expect(await call(CALL, signal)).toEqual({ ok: true, result: { content: [] } });
  expect({ sent, seen }).toEqual({ sent: [], seen: ["skipped"] });
  await call({ ...CALL, toolName: "u" }, signal);
  expect(sent).toHaveLength(1);
});

test("a run that ended while its server was starting makes no call", async () => {
  const { call, sent, seen } = setUp(() => RIGHT, { runSignal: AbortSignal.abort() });
  expect(await call(CALL, signal)).toMatchObject({ ok: false, isBroken: false });
  expect({ sent, seen }).toEqual({ sent: [], seen: ["cancelled"] });
});

describe("a result that is not what its schema says", () => {
  test("is passed on and named, once for each tool", async () => {
    const { call, reported } = setUp(() => WRONG);
    for (const toolName of ["t", "t", "u"])
      expect(await call({ ...CALL, toolName }, signal)).toEqual({ ok: true, result: WRONG });
    expect(reported).toMatchObject(
      ["t", "u"].map((name) => ({
        severity: "warning",
        code: "OUTPUT_MISMATCH",
        message: expect.stringMatching(new RegExp(`^The result of s/${name} does not match .*"/n"`)),
        hint: expect.stringContaining('"outputs"'),
      })),
    );
  });

  test("is no matter where the tool failed", async () => {
    const { call, reported, seen } = setUp(() => ({ ...WRONG, isError: true }));
    expect(await call(CALL, signal)).toEqual({ ok: true, result: { ...WRONG, isError: true } });
    expect({ reported, seen }).toEqual({ reported: [], seen: ["within", "tool_error"] });
  });

  test("is reported after an unparsed result was passed on, unless the call was cancelled meanwhile", async () => {
    const controller = new AbortController();
    const { call, reported } = setUp(() => {
      const result: JsonObject = { content: [] };
      holdPrinted(result, Buffer.from('{"n":"1"}'));
      return result;
    });
    const first = await call(CALL, controller.signal);
    const second = await call({ ...CALL, toolName: "u" }, controller.signal);
    if (!first.ok || !second.ok) throw new Error("no result");
    expect(reported).toEqual([]);
    first.checkLater?.();
    expect(reported).toHaveLength(1);
    controller.abort();
    second.checkLater?.();
    expect(reported).toHaveLength(1);
  });
});

describe("a call that fails is an error for the script", () => {
  test.each<[ConnectionErrorKind, boolean]>([
    ["closed", true],
    ["http-error", true],
    ["interrupted", true],
    ["protocol", true],
    ["session-lost", true],
    ["rpc-error", false],
    ["timeout", false],
    ["unreachable", false],
  ])("of the kind %s; it broke the connection: %j", async (kind, isBroken) => {
    const { call, seen } = setUp(() => {
      throw new ConnectionError(kind, "no", { serverName: "s", hint: "wait" });
    });
    expect(await call(CALL, signal)).toEqual({
      ok: false,
      error: expect.objectContaining({ hint: expect.any(String) }),
      isBroken,
    });
    expect(seen).toEqual(["within", `failed ${kind}`]);
  });

  test.each<[string, Partial<ToolCallerOptions>, AbortSignal]>([
    ["the run", { runSignal: AbortSignal.abort() }, signal],
    ["the call", {}, AbortSignal.abort()],
  ])("and cancelled where %s was", async (_name, changes, own) => {
    const { call, seen } = setUp(() => {
      throw new Error("gone");
    }, changes);
    expect(await call(CALL, own)).toMatchObject({ ok: false, isBroken: false });
    expect(seen.at(-1)).toBe("cancelled");
  });

  test("as drift says it, where the server has changed", async () => {
    const error = { errorClass: "ToolCallError" as const, message: "It changed.", hint: "Look." };
    const connectionOf = async () => {
      throw new DriftRefusal(error);
    };
    const { call, seen } = setUp(() => RIGHT, { connectionOf });
    expect(await call(CALL, signal)).toEqual({ ok: false, error });
    expect(seen).toEqual(["refused ToolCallError"]);
  });
});

describe("a tool host", () => {
  test("unwraps results, and throws the errors of tools", async () => {
    expect(await setUp(() => RIGHT).host.call(CALL, signal)).toEqual({ ok: true, value: { n: 1 } });
    const failed = setUp(() => ({ content: [{ type: "text", text: "no" }], isError: true })).host;
    expect(await failed.call(CALL, signal)).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
    expect(await failed.callRaw(CALL, signal)).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
    const refused = setUp(() => RIGHT, { manifest: { tools: [] } }).host;
    for (const way of ["call", "callRaw"] as const)
      expect(await refused[way](CALL, signal)).toMatchObject({ ok: false, error: { errorClass: "ToolNotFoundError" } });
  });

  test("passes text on as it came, and unwraps what is none", async () => {
    const { host, sent } = setUp(() => {
      const result: JsonObject = { content: [] };
      holdPrinted(result, Buffer.from('{"n": 1}'));
      return result;
    });
    expect(await host.callRaw(CALL, signal)).toEqual({
      ok: true,
      json: Buffer.from('{"n": 1}'),
      checkLater: expect.any(Function),
      value: expect.any(Function),
    });
    expect(sent[0]?.[2]).toMatchObject({ leavesText: true });
    expect(await setUp(() => RIGHT).host.callRaw(CALL, signal)).toEqual({ ok: true, value: { n: 1 } });
    await host.call(CALL, signal);
    expect(sent[1]?.[2]).toMatchObject({ leavesText: false });
  });

  test.each([
    ["its value", '{"n": 1}', 1, { n: 1 }],
    ["no value where it is no JSON", '{"n": }', 1, undefined],
    ["no value where it is nested too deep", '{"n": 1}', 257, undefined],
    ["no value where its depth is not known", '{"n": 1}', undefined, undefined],
  ])("gives of text %s", async (_, json, depth, value) => {
    const { host } = setUp(() => {
      const result: JsonObject = { content: [] };
      holdPrinted(result, Buffer.from(json), depth);
      return result;
    });
    const reply = (await host.callRaw(CALL, signal)) as PrintedReply;
    expect(reply.value?.()).toEqual(value);
  });

  test("answers what scripts ask about tools itself", async () => {
    const { host, sent } = setUp(() => RIGHT);
    const asked = { serverId: "codemode", toolName: "search", input: {} };
    const { DISCOVERY } = await import("../../runtime/sandbox/pool/host-subjects.ts");
    for (const way of ["call", "callRaw"] as const)
      expect(await host[way]({ ...asked, serverId: DISCOVERY }, signal)).toEqual({ ok: true, value: "found" });
    expect(sent).toEqual([]);
  });

  test("answers with an earlier result, which is read as text of a sandbox's making", async () => {
    const { RESULTS } = await import("../../runtime/sandbox/pool/host-subjects.ts");
    const texts: Record<string, string> = { known: '{"n":1}', broken: "{" };
    const readResult = (id: string) => (texts[id] === undefined ? undefined : Buffer.from(texts[id]));
    const { host, sent } = setUp(() => RIGHT, { readResult } as Partial<ToolCallerOptions>);
    const ask = (id: string) => ({ serverId: RESULTS, toolName: id, input: {} });
    expect(await host.call(ask("known"), signal)).toEqual({ ok: true, value: { n: 1 } });
    expect(await host.callRaw(ask("known"), signal)).toMatchObject({ ok: true, json: Buffer.from('{"n":1}') });
    const refusal = (message: string) => ({ ok: false, error: { errorClass: "ToolCallError", message } });
    expect(await host.call(ask("broken"), signal)).toMatchObject(refusal("The result is no JSON."));
    for (const way of ["call", "callRaw"] as const) {
      expect(await host[way](ask("gone"), signal)).toMatchObject(refusal("There is no such result any more."));
      expect(await setUp(() => RIGHT).host[way](ask("known"), signal)).toMatchObject({ ok: false });
    }
    expect(sent).toEqual([]);
  });
});

test("what a server says while it is asked is a sign of life, with the metadata of run and call in what is sent", async () => {
  const listeners: unknown[] = [];
  const listenTo = ((_call, onLog) => {
    listeners.push(onLog === undefined ? "none" : "one");
    onLog?.({ level: "info", text: "at work" } as Parameters<typeof onLog>[0]);
    return { unanswered: () => undefined };
  }) as NonNullable<ToolCallerOptions["listenTo"]>;
  const [{ call, sent }, signs] = [setUp(() => RIGHT, { listenTo, meta: { run: "r" } }), [] as unknown[]];
  await call(CALL, signal, { onSign: (sign) => signs.push(sign) });
  await call({ ...CALL, number: 2 }, signal);
  expect([listeners, signs]).toEqual([["one", "none"], [{ kind: "log", level: "info", text: "at work" }]]);
  const options = sent.map(([, , each]) => each as { meta: object; onProgress?: unknown });
  expect(options.map(({ meta }) => meta)).toEqual([
    { run: "r", trace: 1 },
    { run: "r", trace: 2, "dev.codemode/call-number": 2 },
  ]);
  expect(options.map(({ onProgress }) => onProgress !== undefined)).toEqual([true, false]);
});

test("a number that JavaScript reads as another one is said once for each tool, with its place and both values", async () => {
  const read = (line: string): JsonObject => {
    const [incoming] = parseIncoming(line);
    return (incoming as unknown as { message: { result: JsonObject } }).message.result;
  };
  const line =
    '{"id":1,"result":{"_meta":{"a":9007199254740993},"structuredContent":{"n":1,"a/b":[{"id":-9007199254740993}]}}}';
  const long = (): JsonObject => {
    const result: JsonObject = { content: [] };
    holdPrinted(result, Buffer.from('{"n":12345678901234567890123}'));
    return result;
  };
  for (const [answer, where] of [
    [() => read(line), '-9007199254740993 at "/a~1b/0/id", which JavaScript reads as -9007199254740992.'],
    [long, '12345678901234567890123 at "/n", which JavaScript reads as 1.2345678901234568e+22.'],
  ] as const) {
    const { call, reported } = setUp(answer);
    for (const toolName of ["t", "t", "u"]) {
      const outcome = await call({ ...CALL, toolName }, signal);
      if (outcome.ok) outcome.checkLater?.();
    }
    const changed = reported.filter(({ code }) => code === "NUMBER_CHANGED");
    expect(changed.map(({ message }) => message)).toEqual(
      ["t", "u"].map((tool) => `The result of s/${tool} has the number ${where}`),
    );
  }
  const kept =
    '{"id":1,"result":{"structuredContent":{"n":1,"a":9007199254740992,"b":"9007199254740993","c":10000000000000000000000}}}';
  const { call, reported } = setUp(() => read(kept));
  await call(CALL, signal);
  expect(reported).toEqual([]);
});
