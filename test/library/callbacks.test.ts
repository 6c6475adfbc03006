import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CodeMode, codeMode, type CodeModeOptions, defineTool, type HostEvent, type RunEvent } from "codemode";
import { SHARED_PROCESS } from "./open-code-mode.ts";

/** What a program in JavaScript gives as a callback: its types are not checked. */
// oxlint-disable-next-line typescript/no-explicit-any -- the same
type Anything = any;

const boom = (): never => {
  throw new Error("the tab is closed\n    at line 2");
};
const rejects = async (): Promise<never> => boom();
const SAID = "the tab is closed.";

const pay = defineTool<Anything>({
  description: "Pays",
  needsApproval: (_input, { context }) => context?.approval?.() ?? false,
  enabled: (context) => context?.enabled?.() ?? true,
  execute: (_input, call) => {
    call.progress(1, 2);
    return "paid";
  },
});
const added: unknown[] = [];
const add = {
  inputSchema: { type: "object", properties: { n: { type: "number" } } },
  needsApproval: (input: { n: number }) => (input.n = 666) > 0,
  execute: ({ n }: { n: number }) => added.push(n),
};
const QUESTION = { message: "Which?", requestedSchema: { type: "object", properties: { n: { type: "number" } } } };
const which = { execute: (_input: object, call: Anything) => call.ask(QUESTION) };
let ask: Anything;
const PAY = `import { pay } from "@codemode/servers/shop"; console.log("one"); console.log("two"); export default await pay();`;

let code: CodeMode<Anything>;
const notes: string[] = [];
const heard = new EventEmitter();
const observed: { hear: (event: HostEvent) => Anything } = { hear: () => undefined };
const hidden: string[] = [];
beforeAll(async () => {
  code = await codeMode<Anything>(
    { shop: { pay, fail: { description: "Fails", execute: boom }, add, which } },
    {
      ask: (question) => ask(question),
      onNote: (line) => {
        notes.push(line);
        heard.emit("note", "note");
      },
      observers: [(event) => observed.hear(event)],
      hideErrors: (_error, id) => {
        hidden.push(id);
        boom();
      },
      ...{ ...SHARED_PROCESS, runs: "memory", limits: { timeoutMs: 5000 } },
    },
  );
});
afterAll(() => code.close());
beforeEach(() => notes.splice(0));

test.each(["onCall", "onLog"] as const)(
  "`%s` that throws or rejects ends neither the process nor the run, and is reported once",
  async (name) => {
    for (const fails of [boom, rejects]) {
      let times = 0;
      const listener = (): Anything => {
        times += 1;
        return fails();
      };
      const answer = await code.run({ code: PAY }, { [name]: listener });
      await delay(1);
      expect(answer.result).toBe("paid");
      if (fails === boom) expect(times).toBe(1);
      const message = `\`${name}\` of the program has failed: ${SAID}`;
      expect(answer.diagnostics).toEqual([
        {
          ...{ severity: "warning", code: "LISTENER_FAILED", message },
          hint: "The run goes on, and it is not called again for this run.",
        },
      ]);
      expect(notes.splice(0)).toEqual([expect.stringContaining(message)]);
      const ofTool = await code.tool.call({ code: PAY }, { [name]: listener });
      expect(ofTool).toMatchObject({ result: "paid", diagnostics: [{ code: "LISTENER_FAILED" }] });
      notes.splice(0);
    }
  },
);

test("`onEvent` hears all of a run in order, and one that fails at any of it is reported once", async () => {
  ask = () => ({ action: "decline" });
  const script = { code: PAY.replace("{ pay }", "{ pay, which }").replace("export", "await which(); export") };
  const given = { approve: () => true, context: { approval: () => true }, limits: { maxLogBytes: 4 } };
  const heard: string[] = [];
  await code.run(script, { ...given, onEvent: ({ type }) => void heard.push(type) });
  expect([heard[0], heard.at(-1)]).toEqual(["run-started", "run-ended"]);
  const kinds = [...new Set(heard)];
  expect(kinds).toEqual(
    expect.arrayContaining([
      ...["bundled", "reviewed", "script-started", "log", "call-started", "call-checked", "call-reviewed"],
      ...["question-ended", "call-settled", "call-ended", "script-ended"],
    ]),
  );
  for (const kind of kinds) {
    const seen: string[] = [];
    const onEvent = ({ type }: RunEvent): void => {
      seen.push(type);
      if (type === kind) boom();
    };
    const { result, diagnostics } = await code.run(script, { ...given, onEvent });
    expect([result, seen.at(-1), seen.filter((type) => type === kind).length]).toEqual(["paid", kind, 1]);
    expect(diagnostics.filter(({ code: of }) => of === "LISTENER_FAILED").map(({ message }) => message)).toEqual([
      `\`onEvent\` of the program has failed: ${SAID}`,
    ]);
  }
});

test("the run of another user goes on while a callback fails", async () => {
  const [failing, other] = await Promise.all([
    code.run({ code: PAY }, { onCall: boom, onLog: boom }),
    code.run({ code: PAY }),
  ]);
  expect(failing.diagnostics).toHaveLength(2);
  expect(other).toMatchObject({ result: "paid", diagnostics: [] });
});

test.each<[name: string, given: Anything, says: string]>([
  ["a throwing function", boom, SAID],
  ["a rejecting function", rejects, SAID],
  ["nothing", () => undefined, "it gives undefined, which is neither true nor false."],
  ["a text", async () => "yes", 'it gives "yes", which is neither true nor false.'],
  ["null", async () => null, "it gives null, which is neither true nor false."],
  ["another object", async () => ({ approved: true }), 'it gives {"approved":true}, which is neither true nor false.'],
])("`approve` that is %s refuses the call, and is named", async (_name, approve, says) => {
  const script = PAY.replace("await pay()", "await pay().catch(({ name }) => name)");
  const answer = await code.run({ code: script }, { approve, context: { approval: () => true } });
  expect(answer.result).toBe("ApprovalRefusedError");
  expect(answer.diagnostics).toContainEqual({
    ...{ severity: "warning", code: "LISTENER_FAILED", message: `\`approve\` of the program has failed: ${says}` },
    hint: "Nothing is approved by it: the call or the script is refused.",
  });
  expect(notes.join()).toContain(says);
});

test("`approve` may be sync", async () => {
  expect((await code.run({ code: PAY }, { approve: () => true, context: { approval: () => true } })).result).toBe(
    "paid",
  );
});

test.each([boom, rejects])(
  "`needsApproval` that fails asks, and `enabled` that fails hides; both are named",
  async (fails) => {
    const asked: unknown[] = [];
    const approve = (): boolean => asked.push(1) > 0;
    const answer = await code.run({ code: PAY }, { approve, context: { approval: fails } });
    expect([answer.result, asked]).toEqual(["paid", [1]]);
    expect(answer.diagnostics.map(({ message }) => message)).toEqual([
      `\`needsApproval\` of the program has failed: ${SAID}`,
    ]);
    const hides = await code.run({ code: PAY }, { context: { enabled: fails } });
    expect(hides.diagnostics.map(({ code: of }) => of)).toEqual(["IMPORT_FAILURE", "LISTENER_FAILED"]);
    expect(hides.diagnostics[1]?.message).toBe(`\`enabled\` of the program has failed: ${SAID}`);
    const single = await code.tryTool("shop/pay", {}, { context: { approval: fails }, approve });
    expect(single).toMatchObject({ reply: { ok: true }, diagnostics: [{ code: "LISTENER_FAILED" }] });
  },
);

test("an observer that fails is named in one note, however often it does, and hears no more of that run", async () => {
  for (const fails of [boom, rejects, boom]) {
    const runs = new Map<string, number>();
    observed.hear = (event) => {
      if (!("run" in event)) return undefined;
      runs.set(event.run.runId, (runs.get(event.run.runId) ?? 0) + 1);
      return fails();
    };
    expect(await code.run({ code: PAY })).toMatchObject({ result: "paid", diagnostics: [] });
    await delay(1);
    if (fails === boom) expect([...runs.values()]).toEqual([1]);
  }
  observed.hear = () => undefined;
  expect(notes).toEqual([expect.stringContaining("`observers` of the program has failed: the tab is closed")]);
});

test("`hideErrors` that fails hides the error all the same", async () => {
  const script = `import { fail } from "@codemode/servers/shop"; export default await fail().catch(({ message }) => message);`;
  const { result } = await code.run({ code: script });
  expect(result).toBe(`The tool failed. Its operator finds the reason under the id ${hidden.at(-1)}.`);
  expect(notes.join()).toContain("`hideErrors` of the program has failed");
});

test("functions of a durable run, a dry run and a recording fail without an effect on it", async () => {
  const durable = await code.run({ code: PAY }, { durable: { onBegun: boom } });
  expect(durable).toMatchObject({
    result: "paid",
    diagnostics: [{ message: expect.stringContaining("`onBegun`") as string }],
  });
  const dry = await code.run({ code: PAY }, { dryRun: { onSkipped: boom } });
  expect(dry.diagnostics).toContainEqual(expect.objectContaining({ code: "LISTENER_FAILED" }));
});

test("what a callback changes is changed for no other", async () => {
  const approve: CodeModeOptions["approve"] = ({ call }) => {
    if (call !== undefined) call.input["n"] = 667;
    return true;
  };
  const answer = await code.run(
    { code: `import { add } from "@codemode/servers/shop"; console.log("a"); export default await add({ n: 1 });` },
    {
      approve,
      onLog: (entry) => Object.assign(entry, { message: "b" }),
      onCall: (event) => void (event.kind === "ended" && Object.assign(event.entry, { toolName: "other" })),
    },
  );
  expect(added).toEqual([1]);
  expect([answer.logs[0]?.message, answer.toolTrace[0]?.toolName]).toEqual(["a", "add"]);
});

test("`context` of a connection that fails leaves its request without an answer, and is named", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const end = await code.connectTo(far, { context: boom });
  const noted = once(heard, "note");
  const client = new Client({ name: "test", version: "1.0.0" });
  const connected = client.connect(near).catch(() => "closed");
  expect(await noted).toEqual(["note"]);
  expect(notes).toEqual([expect.stringContaining("`context` of the program has failed")]);
  await end();
  await client.close();
  await connected;
});

test.each<[name: string, ask: Anything, says: string]>([
  ["throws", boom, SAID],
  ["rejects", rejects, SAID],
  ["gives nothing", () => undefined, "it gives undefined, which has no known `action`."],
  ["gives a text", async () => "yes", 'it gives "yes", which has no known `action`.'],
])("`ask` that %s declines the question, and is named", async (_name, asks, says) => {
  ask = asks;
  const script = `import { which } from "@codemode/servers/shop"; export default (await which()).action;`;
  const { result, diagnostics } = await code.run({ code: script });
  expect([result, diagnostics.map(({ message }) => message)]).toEqual([
    "decline",
    [`\`ask\` of the program has failed: ${says}`],
  ]);
});
