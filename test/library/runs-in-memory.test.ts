import { readdir } from "node:fs/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { codeMode } from "codemode";
import { makeTestFolder } from "../make-test-folder.ts";
import { openCodeMode } from "./open-code-mode.ts";

test("durable runs in memory wait, go on and are taken back within the process, and leave no file", async () => {
  const state = await makeTestFolder();
  vi.stubEnv("XDG_STATE_HOME", state);
  onTestFinished(() => void vi.unstubAllEnvs());
  const done: string[] = [];
  const pay = {
    needsApproval: true,
    execute: () => void done.push("paid"),
    undo: () => void done.push("paid back"),
  };
  await using code = await codeMode({ bank: { pay } }, { runs: "memory", approve: async () => "unavailable" as never });
  const script = `import { pay } from "@codemode/servers/bank";
    // sleeps: the sandbox is given back meanwhile, by the clock of a built program
    await new Promise((resolve) => setTimeout(resolve, 300)); await pay();`;
  const running = code.run({ code: script }, { key: "k", durable: { suspendAfterMs: 50 } });
  const runs = await code.durableRuns();
  await expect.poll(async () => (await runs.list())[0]?.questions.length, { timeout: 15_000 }).toBe(1);
  const [question] = await runs.questions();
  await runs.answer(question?.id ?? "", { verdict: "granted" });
  const { runId = "", diagnostics } = await running;
  expect([diagnostics, done]).toEqual([[], ["paid"]]);
  // The key counts in the process: nothing is called again.
  expect((await code.run({ code: script }, { key: "k", durable: true })).runId).toBe(runId);
  expect(await code.undo(runId)).toEqual(["bank/pay"]);
  expect(done).toEqual(["paid", "paid back"]);
  expect(await readdir(state)).toEqual([]);
  await using other = await codeMode({ bank: { pay } }, { runs: "memory" });
  expect(await (await other.durableRuns()).list()).toEqual([]);
  await expect(codeMode({ bank: { pay } }, { runs: "memory", project: "." })).rejects.toMatchObject({
    code: "INVALID_OPTION",
  });
});

test("a call of a tool is taken back though its name is longer than messages show", async () => {
  const undone: string[] = [];
  const name = "p".repeat(125);
  const tool = { execute: () => "done", undo: () => void undone.push("back") };
  await using code = await codeMode(
    { bank: { [name]: tool } },
    { runs: "memory", approve: async () => "granted" as const },
  );
  const script = `import { ${name} } from "@codemode/servers/bank"; await ${name}();`;
  const { runId = "", diagnostics } = await code.run({ code: script }, { durable: true });
  expect(diagnostics).toEqual([]);
  expect([await code.undo(runId), undone]).toEqual([[`bank/${name}`], ["back"]]);
});

test("what cannot be taken back whole is taken back in part where the program says so alone", async () => {
  const undone: string[] = [];
  const order = { execute: () => "ordered", undo: () => void undone.push("order") };
  const code = await openCodeMode({ shop: { order, ship: { execute: () => "shipped" } } }, { runs: "memory" });
  const script = `import { order, ship } from "@codemode/servers/shop"; await order(); await ship();`;
  const { runId = "" } = await code.run({ code: script }, { durable: true });
  await expect(code.undo(runId)).rejects.toMatchObject({
    message: expect.stringContaining("there is no `undo` of shop/ship"),
    hint: "Give it to them, or pass `partial: true`.",
  });
  expect(undone).toEqual([]);
  expect([await code.undo(runId, { partial: true }), undone]).toEqual([["shop/order"], ["order"]]);
});
