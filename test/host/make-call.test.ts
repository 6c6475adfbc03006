import { describe, expect, test } from "vitest";
import { ConnectionError, type ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";
import { parseIncoming } from "@codemode/runtime/connections/wire/json-rpc";
import { holdPrinted } from "@codemode/runtime/connections/printed-content";
import { DriftRefusal } from "../../runtime/host/lock/guard-connections.ts";
import { makeCalls } from "../../runtime/host/call/make-call.ts";
import { handleCalls } from "../../runtime/host/call/handle-calls.ts";
import type { CallGuard, Requester, Run } from "../../runtime/host/run.ts";
import type { ServerLog } from "@codemode/runtime/connections/call-listener";
import type { CallOptions } from "@codemode/runtime/connections/server-connection";
import { answerSubjects } from "../../engine/run/answer-subject.ts";
import type { RunRequest } from "../../engine/run/host.ts";
import { DISCOVERY, RESULTS } from "../../runtime/sandbox/pool/host-subjects.ts";
import type { OnCallSign, RunEvent } from "../../schemas/run/events.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import { toRefusal } from "../../runtime/host/checks/refuse.ts";
import type { Known, PrintedReply } from "../../runtime/sandbox/pool/handle-call.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";
import { hostOf, runOf } from "./run-of.ts";

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

interface Given extends Partial<Omit<Run, "request">>, Partial<Requester> {
  connect?: CallGuard;
  leavesText?: boolean;
}

/** A connection that gives what `answer` gives, and all that its calls are seen to do. */
function setUp(answer: () => JsonObject, { connect, leavesText = false, ...changes }: Given = {}) {
  const reported: Diagnostic[] = [];
  const sent: [string, JsonObject, CallOptions][] = [];
  const seen: unknown[] = [];
  const emit = (event: RunEvent): void => {
    if (event.type !== "call-settled") return;
    const { outcome, code } = event;
    seen.push(code === undefined ? outcome : `${outcome} ${code}`);
  };
  const enterCall: Requester["enterCall"] = (number) => ({
    meta: { trace: number },
    within: (send) => {
      seen.push("within");
      return send();
    },
  });
  const {
    access,
    signal: ending,
    manifest = { tools },
    key,
    maxCallMs,
    ...listening
  } = { emit, enterCall, ...changes };
  const request = { ...listening, ...(access && { access }), signal: ending };
  const run = runOf({ request, lockfile, manifest, key, maxCallMs, report: (finding) => reported.push(finding) });
  const guard: CallGuard = async () => ({
    callTool: async (...call) => {
      sent.push(call as [string, JsonObject, CallOptions]);
      return answer();
    },
  });
  const host = hostOf({ guard: () => connect ?? guard });
  const makeCall = makeCalls(host, run, leavesText);
  const perform = handleCalls(host, run, () => ({ ok: true, value: "found" }));
  return {
    call: (call: ToolCall, own: AbortSignal, known?: Known) => makeCall({ ...call, signal: own }, known),
    signed: (call: ToolCall, onSign: OnCallSign) => makeCall({ ...call, signal, onSign }),
    perform: (call: ToolCall) => perform({ ...call, position: 1, inputJson: JSON.stringify(call.input), signal }),
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
  expect(sent).toMatchObject([["t", { a: 1 }, { signal, leavesText: false, meta: { trace: 1 }, maxTotalMs: 5 }]]);
  expect({ seen, reported }).toEqual({ seen: ["within", "ok"], reported: [] });
});

test("without a listener, and with text left as it is", async () => {
  const { call, sent } = setUp(() => RIGHT, { ...UNHEARD, leavesText: true });
  expect(await call(CALL, signal)).toEqual({ ok: true, result: RIGHT });
  expect(sent).toMatchObject([["t", { a: 1 }, { signal, leavesText: true, meta: undefined }]]);
});

test("calls that are refused, skipped or fail end in the same way without a listener", async () => {
  const refused = setUp(() => RIGHT, { ...UNHEARD, manifest: { tools: [] } });
  expect(await refused.call(CALL, signal)).toMatchObject({ ok: false, error: { errorClass: "ToolNotFoundError" } });
  const instead = () => RIGHT;
  expect(await setUp(() => WRONG, UNHEARD).call(CALL, signal, { instead })).toEqual({ ok: true, result: RIGHT });
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
  const instead: Known["instead"] = ({ name }) => (name === "t" ? { content: [] } : undefined);
  const { call, sent, seen } = setUp(() => RIGHT);
  expect(await call(CALL, signal, { instead })).toEqual({ ok: true, result: { content: [] } });
  expect({ sent, seen }).toEqual({ sent: [], seen: ["skipped"] });
  await call({ ...CALL, toolName: "u" }, signal, { instead });
  expect(sent).toHaveLength(1);
});

test("a run that ended while its server was starting makes no call", async () => {
  const { call, sent, seen } = setUp(() => RIGHT, { signal: AbortSignal.abort() });
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

  test.each<[string, Given, AbortSignal]>([
    ["the run", { signal: AbortSignal.abort() }, signal],
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
    const connect = async () => {
      throw new DriftRefusal(error);
    };
    const { call, seen } = setUp(() => RIGHT, { connect });
    expect(await call(CALL, signal)).toEqual({ ok: false, error });
    expect(seen).toEqual(["refused ToolCallError"]);
  });
});

describe("the calls of a script", () => {
  test("get results unwrapped, and throw the errors of tools", async () => {
    expect(await setUp(() => RIGHT).perform(CALL)).toEqual({ ok: true, value: { n: 1 } });
    const failed = setUp(() => ({ content: [{ type: "text", text: "no" }], isError: true }));
    expect(await failed.perform(CALL)).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
    const refused = setUp(() => RIGHT, { manifest: { tools: [] } });
    expect(await refused.perform(CALL)).toMatchObject({ ok: false, error: { errorClass: "ToolNotFoundError" } });
  });

  test("get text as it came", async () => {
    const { perform, sent } = setUp(() => {
      const result: JsonObject = { content: [] };
      holdPrinted(result, Buffer.from('{"n": 1}'));
      return result;
    });
    expect(await perform(CALL)).toEqual({
      ...{ ok: true, json: Buffer.from('{"n": 1}') },
      ...{ checkLater: expect.any(Function), readValue: expect.any(Function) },
    });
    expect(sent[0]?.[2]).toMatchObject({ leavesText: true });
  });

  test.each([
    ["its value", '{"n": 1}', 1, { n: 1 }],
    ["no value where it is no JSON", '{"n": }', 1, undefined],
    ["no value where it is nested too deep", '{"n": 1}', 257, undefined],
    ["no value where its depth is not known", '{"n": 1}', undefined, undefined],
  ])("give of text %s", async (_, json, depth, value) => {
    const { perform } = setUp(() => {
      const result: JsonObject = { content: [] };
      holdPrinted(result, Buffer.from(json), depth);
      return result;
    });
    expect(((await perform(CALL)) as PrintedReply).readValue()).toEqual(value);
  });

  test("that ask about tools reach no server", async () => {
    const { perform, sent } = setUp(() => RIGHT);
    expect(await perform({ serverId: DISCOVERY, toolName: "search", input: {} })).toEqual({ ok: true, value: "found" });
    expect(sent).toEqual([]);
  });
});

test("a script gets an earlier result as text of a sandbox's making, and saved scripts from their list", async () => {
  const texts: Record<string, string> = { known: '{"n":1}', broken: "{" };
  const read = (id: string) => (texts[id] === undefined ? undefined : Buffer.from(texts[id]));
  const request = { results: { read }, listScripts: async () => ["hello"] } as unknown as RunRequest;
  const ask = async (serverId: string, toolName: string, of = request) =>
    answerSubjects(lockfile, of)({ serverId, toolName, input: {} });
  const known = (await ask(RESULTS, "known")) as PrintedReply;
  expect([known.json, known.readValue()]).toEqual([Buffer.from('{"n":1}'), { n: 1 }]);
  expect(((await ask(RESULTS, "broken")) as PrintedReply).readValue()).toBeUndefined();
  const gone = { ok: false, error: { errorClass: "ToolCallError", message: "There is no such result any more." } };
  const none = {} as RunRequest;
  expect([await ask(RESULTS, "gone"), await ask(RESULTS, "known", none)]).toMatchObject([gone, gone]);
  expect(await ask(DISCOVERY, "listScripts")).toEqual({ ok: true, value: ["hello"] });
  expect(await ask(DISCOVERY, "listScripts", none)).toEqual({ ok: true, value: [] });
  expect(await ask(DISCOVERY, "listServers")).toMatchObject({ ok: true, value: [{ serverId: "s" }] });
});

test("what a server says while it is asked is a sign of life, with the metadata of run and call in what is sent", async () => {
  const [{ call, signed, sent }, signs] = [setUp(() => RIGHT, { key: "r" }), [] as unknown[]];
  await signed(CALL, (sign) => signs.push(sign));
  await call({ ...CALL, number: 2 }, signal);
  const options = sent.map(([, , each]) => each);
  options[0]?.listener?.log?.({ level: "info", text: "at work" } as ServerLog);
  expect(signs).toEqual([{ kind: "log", level: "info", text: "at work" }]);
  expect(options.map(({ listener }) => listener?.log !== undefined)).toEqual([true, false]);
  expect(options.map(({ meta }) => meta)).toEqual([
    { "dev.codemode/run-key": "r", trace: 1 },
    { "dev.codemode/run-key": "r", trace: 2, "dev.codemode/call-number": 2 },
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
