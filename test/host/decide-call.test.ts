import { expect, test } from "vitest";
import { asksEach, type DecidedCall, makeDecisions, toResult } from "../../runtime/host/call/decide-call.ts";
import type { Known } from "../../runtime/sandbox/pool/handle-call.ts";
import type { CallHost, Requester } from "../../runtime/host/run.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { hostOf, runOf } from "./run-of.ts";
import type { Admitted } from "../../runtime/host/checks/admit-call.ts";
import { toRefusal } from "../../runtime/host/checks/refuse.ts";
import type { Audience } from "../../schemas/audience.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";
import { describeCallToApprove } from "../../schemas/run/describe-call.ts";
import type { EventOf } from "../../schemas/run/events.ts";

const ADMITTED = { tool: { name: "write", integrity: "sha256-x" }, input: {}, asks: true } as unknown as Admitted;
const MAY_APPROVE = { ...ownAccess({ ...DEFAULTS.policy, askEach: ["*"] }), mayApprove: true };

/** What a script hears of a call about which this was decided, and what its answer says. */
async function seek(decision: ApprovalVerdict | CallDecision, audience: Audience) {
  const reported: Diagnostic[] = [];
  const { decide } = makeDecisions(
    hostOf({ audience }),
    runOf({
      request: { access: MAY_APPROVE, approve: async () => decision },
      report: (diagnostic) => reported.push(diagnostic),
    }),
  );
  const { signal } = new AbortController();
  const call = { serverId: "files", toolName: "write", input: {}, number: 1, signal };
  const sought = await decide({ call, admitted: ADMITTED, admit: () => ADMITTED, known: undefined });
  return { message: sought.kind === "refused" ? sought.error.message : "", codes: reported.map(({ code }) => code) };
}

const DECLINED =
  "Each call of files/write needs a person's approval, and the question was declined by a person, or closed by the client without an answer.";
const REFUSED = "A person has refused this call of files/write";

test.each<[ApprovalVerdict | CallDecision, Audience, string, string[]]>([
  // A client without a screen declines by itself.
  ["refused", "agent", DECLINED, ["APPROVAL_REQUIRED"]],
  // A durable run keeps it in this form.
  [{ verdict: "refused" }, "agent", DECLINED, ["APPROVAL_REQUIRED"]],
  [{ verdict: "refused", reason: "not now" }, "agent", `${REFUSED}: not now`, []],
  ["refused", "person", `${REFUSED}.`, []],
])(
  "a call that was not approved (%j, for the %s) says no more than is known",
  async (decision, audience, message, codes) => {
    expect(await seek(decision, audience)).toEqual({ message, codes });
  },
);

const SCHEMA: JsonObject = { type: "object", properties: { path: {}, text: {} } };
const WRITE = { name: "write", integrity: "sha256-w", inputSchema: SCHEMA } as unknown as LockedTool;
const READ = { name: "read", integrity: "sha256-r", inputSchema: SCHEMA } as unknown as LockedTool;
const INPUT: JsonObject = { path: "a", text: "b" };

type Decision = ApprovalVerdict | CallDecision;

/** Approvals whose person decides in turn; the last decision holds for all later questions. */
function makeAsked(
  decisions: readonly Decision[],
  { known, viewOf, ...asked }: Partial<Requester> & Pick<CallHost, "viewOf"> & { known?: Known } = {},
) {
  const requests: ApprovalRequest[] = [];
  /** The place of each call, and of how many, as it is when its question is shown. */
  const places: (readonly [number | undefined, number | undefined])[] = [];
  const heard: Omit<EventOf<"call-reviewed">, "run">[] = [];
  const held: string[] = [];
  const checkOutput: CallHost["checkOutput"] = (_, { structuredContent }) =>
    !isJsonObject(structuredContent ?? null) || Object.hasOwn(structuredContent as JsonObject, "sum")
      ? undefined
      : "The result has no sum.";
  const request: Partial<Requester> = {
    approve: async (question) => {
      requests.push(question);
      places.push([question.call?.position, question.call?.total]);
      return decisions[Math.min(requests.length, decisions.length) - 1] ?? "closed";
    },
    access: MAY_APPROVE,
    emit: (event) => void (event.type === "call-reviewed" && heard.push(event)),
    ...asked,
  };
  const hold = () => {
    held.push("stands still");
    return () => held.push("goes on");
  };
  const approvals = makeDecisions(hostOf({ checkOutput, viewOf }), runOf({ request, hold }));
  const admit = (input: JsonValue) =>
    Object.hasOwn(input as JsonObject, "path")
      ? ({ tool: WRITE, input: input as JsonObject } satisfies Admitted)
      : { error: toRefusal("SchemaValidationError", "The path is missing.", "Give it.") };
  let number = 0;
  const seek = async (tool = WRITE, signal = new AbortController().signal): Promise<DecidedCall> => {
    number += 1;
    const call = { serverId: "files", toolName: tool.name, input: INPUT, number, place: "s.ts:1:1", signal };
    return approvals.decide({ call, admitted: { tool, input: INPUT, asks: true }, admit, known });
  };
  return { approvals, requests, places, heard, held, seek, problems: () => requests.map(({ call }) => call?.problem) };
}

test("a call that is allowed is made as it is, and the next one is asked about", async () => {
  const { seek, requests, heard } = makeAsked(["granted"], { approvalBy: "terminal" });
  const made = { kind: "made", admitted: { tool: WRITE, input: INPUT, asks: true } };
  expect([await seek(), await seek()]).toEqual([made, made]);
  expect(requests).toHaveLength(2);
  expect(requests[0]).toMatchObject({
    tools: [{ serverId: "files", toolName: "write" }],
    call: { number: 1, input: INPUT, position: 1, place: "s.ts:1:1" },
  });
  expect(requests[0]?.call).not.toHaveProperty("problem");
  const fact = {
    type: "call-reviewed",
    serverId: "files",
    toolName: "write",
    verdict: "granted",
    shown: requests[0]?.digest,
  };
  expect(heard).toEqual([
    { ...fact, number: 1, approvalBy: "terminal", approvalName: undefined },
    { ...fact, number: 2, approvalBy: "terminal", approvalName: undefined },
  ]);
});

test("what is shown is known by its digest: another input has another one", async () => {
  const { approvals, requests, seek } = makeAsked(["granted"]);
  await seek();
  const { signal } = new AbortController();
  const call = { serverId: "files", toolName: "write", input: {}, number: 2, signal };
  const admitted = { tool: WRITE, input: { path: "b" }, asks: true } as const;
  await approvals.decide({ call, admitted, admit: () => ADMITTED, known: undefined });
  expect(requests[0]?.digest).toMatch(/^sha256-/);
  expect(requests[0]?.digest).not.toBe(requests[1]?.digest);
  expect(requests[1]?.call).not.toHaveProperty("place");
});

test("a tool that is allowed for the run is not asked about again, and another one is", async () => {
  const { seek, requests, heard } = makeAsked([
    { verdict: "granted", forRun: true, by: { way: "operator", name: "ann" } },
    "granted",
  ]);
  await seek();
  expect((await seek()).kind).toBe("made");
  expect(requests).toHaveLength(1);
  await seek(READ);
  expect(requests).toHaveLength(2);
  expect(heard.map(({ verdict, approvalBy, approvalName }) => [verdict, approvalBy, approvalName])).toEqual([
    ["granted-for-run", "operator", "ann"],
    ["granted", undefined, undefined],
  ]);
});

test.each([
  [true, 0],
  [false, 2],
])(
  "a run that knows by itself what is granted (%s) decides in place of what was said here",
  async (isGranted, asked) => {
    const { seek, requests } = makeAsked([{ verdict: "granted", forRun: true }], {
      known: { isGranted: () => isGranted },
    });
    await seek();
    expect((await seek()).kind).toBe("made");
    expect(requests).toHaveLength(asked);
  },
);

test("a changed call is made with the new input, and said so", async () => {
  const input = { path: "c", text: "b" };
  const { seek, heard } = makeAsked([{ verdict: "changed", input, by: { way: "page" } }]);
  expect(await seek()).toEqual({
    kind: "made",
    admitted: { tool: WRITE, input },
    changed: { kind: "input", input },
  });
  expect(heard[0]).toMatchObject({ verdict: "changed", approvalBy: "page" });
  expect(heard[0]?.input?.()).toEqual(input);
});

test.each<[string, CallDecision, string]>([
  ["that the rules refuse", { verdict: "changed", input: { text: "c" } }, "The path is missing. Give it."],
  ["that names no argument", { verdict: "changed", input: { ...INPUT, txt: "c" } }, 'no argument "txt"'],
  ["that changes nothing", { verdict: "changed", input: INPUT }, "changes nothing"],
  ["with a result that does not fit", { verdict: "answered", result: { total: 1 } }, "The result has no sum."],
])("an answer %s is asked about again, with the reason", async (_, decision, problem) => {
  const { seek, problems, heard } = makeAsked([decision, "granted"]);
  expect(await seek()).toEqual({ kind: "made", admitted: { tool: WRITE, input: INPUT, asks: true } });
  expect(problems()).toEqual([undefined, expect.stringContaining(problem)]);
  expect(heard.map(({ verdict }) => verdict)).toEqual(["granted"]);
});

test("after four answers that do not fit, the call is refused", async () => {
  const { seek, requests, heard } = makeAsked([{ verdict: "changed", input: INPUT }]);
  const sought = await seek();
  expect(requests).toHaveLength(4);
  expect(sought).toMatchObject({ kind: "refused", error: { errorClass: "ApprovalRefusedError" } });
  expect(heard.map(({ verdict }) => verdict)).toEqual(["closed"]);
});

test("after a hundred questions no person is asked more in this run", async () => {
  const { seek, requests } = makeAsked(["granted"]);
  for (let count = 0; count < 100; count += 1) expect((await seek()).kind).toBe("made");
  expect((await seek()).kind).toBe("refused");
  expect(requests).toHaveLength(100);
});

test("an answer in place of the call is a result of the tool", async () => {
  const { seek, heard } = makeAsked([{ verdict: "answered", result: { sum: 3 }, by: { way: "callback" } }]);
  expect(await seek()).toEqual({
    kind: "answered",
    result: { content: [{ type: "text", text: '{"sum":3}' }], structuredContent: { sum: 3 } },
    changed: { kind: "result" },
  });
  expect(heard).toMatchObject([{ verdict: "answered", approvalBy: "callback" }]);
  expect(heard[0]).not.toHaveProperty("input");
});

test.each<[JsonValue, boolean, JsonObject]>([
  ["three", false, { content: [{ type: "text", text: "three" }] }],
  ["three", true, { content: [{ type: "text", text: "three" }] }],
  [3, false, { content: [{ type: "text", text: "3" }] }],
  [3, true, { content: [{ type: "text", text: "3" }], structuredContent: 3 }],
  [{ a: 1 }, false, { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } }],
])("the value %j of a tool with a schema of its results (%s)", (value, hasSchema, result) => {
  expect(toResult({ ...WRITE, ...(hasSchema ? { outputSchema: {} } : {}) }, value)).toEqual(result);
});

test("a refusal has the reason for the script, and its way for the audit log", async () => {
  const { seek, heard } = makeAsked([{ verdict: "refused", reason: "not today", by: { way: "form" } }]);
  expect(await seek()).toEqual({
    kind: "refused",
    error: expect.objectContaining({
      errorClass: "ApprovalRefusedError",
      message: `${REFUSED}: not today`,
      details: { reason: "not today" },
    }),
  });
  expect(heard).toMatchObject([{ verdict: "refused", approvalBy: "form" }]);
});

test("a run that is cancelled waits for no person", async () => {
  const { seek, heard } = makeAsked([], { approve: () => new Promise(() => {}) });
  const controller = new AbortController();
  const sought = seek(WRITE, controller.signal);
  controller.abort();
  expect(await sought).toMatchObject({ kind: "refused", error: { errorClass: "ToolCallError" } });
  expect(heard).toMatchObject([{ verdict: "cancelled" }]);
});

test("calls side by side are counted together, and later ones from the start", async () => {
  const { seek, places } = makeAsked(["granted"]);
  await Promise.all([seek(), seek(), seek()]);
  await seek();
  expect(places).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
    [1, 1],
  ]);
});

test("the question says what the run has called", async () => {
  const { approvals, seek, requests } = makeAsked(["granted"]);
  for (const name of ["read", "write", "read"]) approvals.working("files", name)?.();
  await seek();
  expect([...(requests[0]?.call?.made ?? [])]).toEqual([
    ["files/read", 2],
    ["files/write", 1],
  ]);
});

test("the lines of a question use what is known of the tool", async () => {
  const viewOf = () => ({ parameters: ["text"], split: () => [{ credential: "KEY" }] });
  const { seek, requests } = makeAsked(["granted"], { viewOf });
  await seek();
  const [request] = requests as [ApprovalRequest];
  expect(describeCallToApprove(request)).toContain('  "text": a credential of "KEY"');
});

test("the time of a run stands still only while calls wait and none is made", async () => {
  let answer: (verdict: ApprovalVerdict) => void = () => undefined;
  const { approvals, seek, held } = makeAsked([], { approve: () => new Promise((resolve) => (answer = resolve)) });
  const endOne = approvals.working("files", "read");
  const endOther = approvals.working("files", "read");
  expect(held).toEqual([]);
  const sought = seek();
  expect(held).toEqual([]);
  endOne?.();
  expect(held).toEqual([]);
  endOther?.();
  expect(held).toEqual(["stands still"]);
  const end = approvals.working("files", "read");
  expect(held).toEqual(["stands still", "goes on"]);
  end?.();
  expect(held).toHaveLength(3);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  answer("granted");
  await sought;
  expect(held).toEqual(["stands still", "goes on", "stands still", "goes on"]);
});

test("two calls that wait let the time go on with the answer to the last of them", async () => {
  const answers: ((verdict: ApprovalVerdict) => void)[] = [];
  const { seek, held } = makeAsked([], { approve: () => new Promise((resolve) => answers.push(resolve)) });
  const both = [seek(), seek()];
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  answers[0]?.("granted");
  await both[0];
  expect(held).toEqual(["stands still"]);
  answers[1]?.("granted");
  await both[1];
  expect(held).toEqual(["stands still", "goes on"]);
});

test("nothing needs a listener, and where no person can be asked each call is refused", async () => {
  const { seek } = makeAsked(["granted"], { emit: undefined });
  expect((await seek()).kind).toBe("made");
  const codes: string[] = [];
  const run = runOf({ request: { access: MAY_APPROVE }, report: ({ code }) => codes.push(code) });
  const call = { serverId: "files", toolName: "write", input: {}, number: 1, signal: new AbortController().signal };
  const deciding = { call, admitted: ADMITTED, admit: () => ADMITTED, known: undefined };
  const sought = await makeDecisions(hostOf(), run).decide(deciding);
  expect(sought).toMatchObject({ kind: "refused", error: { errorClass: "ApprovalRefusedError" } });
  expect(codes).toEqual(["APPROVAL_REQUIRED"]);
});

const POLICY = { allow: [], ask: [], deny: [] };

test.each([
  [[], false],
  [[POLICY], false],
  [[{ ...POLICY, askEach: [] }], false],
  [[POLICY, { ...POLICY, askEach: ["files/*"] }], true],
])("policies %j ask about single calls: %s", (policies, asks) => {
  expect(asksEach({ policies })).toBe(asks);
});
