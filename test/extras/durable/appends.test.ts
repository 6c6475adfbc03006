import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import type { DurableStore, OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import { makeProject } from "../../e2e/run-codemode.ts";
import { openTestHost } from "../../engine/run/open-test-host.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { takeClock } from "../../move-clock.ts";
import { aRun } from "./a-run.ts";
import { fire } from "./all-stores.ts";
import { breakWrite } from "./break-writes.ts";
import { startLedger } from "./start-ledger.ts";

const SUSPEND_AFTER_MS = 50;

/** A store whose new runs do this before they keep steps. */
async function openStore(beforeAppend: (...added: Parameters<OwnedRun["append"]>) => unknown): Promise<DurableStore> {
  const store = await openFileStore(await makeTestFolder(), undefined);
  const watched = (owned: OwnedRun): OwnedRun => {
    let last: Promise<void> = Promise.resolve();
    return {
      ...owned,
      append(steps, isFlushed) {
        const before = last;
        const keep = async (): Promise<void> => {
          await before;
          await beforeAppend(steps, isFlushed);
          await owned.append(steps, isFlushed);
        };
        last = keep();
        return last;
      },
    };
  };
  return {
    ...store,
    async create(run) {
      const owned = await store.create(run);
      return owned === "held" ? owned : watched(owned);
    },
  };
}

test("a run whose sandbox is given back while a decision is kept makes the call once, afterwards, and none is while a question is kept", async () => {
  const time = takeClock();
  const ledger = await startLedger();
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { ledger: { url: ledger.url } }, policy: { askEach: ["ledger/pay"] } },
  });
  const { config, host } = await openTestHost(cwd);
  const isSlow = ({ kind }: Step): boolean => kind === "asked" || kind === "decided";
  const store = await openStore((steps) => steps.some(isSlow) && time.move(4 * SUSPEND_AFTER_MS));
  const runs = makeDurableRuns({ store, run: host.run });
  const code = `import { pay } from "@codemode/servers/ledger"; export default [await pay({ entry: "a" }), await pay({ entry: "b" })];`;
  const answer = await runs.begin({
    ...{ script: { code, name: "script.ts" }, access: ownAccess(config.policy), approve: async () => "granted" },
    suspendAfterMs: SUSPEND_AFTER_MS,
  });
  expect(answer).toMatchObject({ diagnostics: [], result: ["pay a", "pay b"] });
  const kinds = (await runs.steps(answer.runId ?? "")).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind !== "fire")).toEqual([
    ...["call", "asked", "decided", "suspended", "sent", "reply"],
    ...["call", "asked", "decided", "suspended", "sent", "reply", "ended"],
  ]);
  expect(await ledger.booked()).toEqual({ "pay a": 1, "pay b": 1 });
  await runs.close();
});

test("a script hears an answer while that is kept, and what it does then waits for that", async () => {
  const ledger = await startLedger();
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { ledger: { url: ledger.url } } } });
  const { config, host } = await openTestHost(cwd);
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const booked: unknown[] = [];
  const store = await openStore(async (steps) => {
    if (!steps.some((step) => step.kind === "reply" && step.call === 1)) return;
    await heard;
    await delay(50);
    booked.push(await ledger.booked());
  });
  const code = `import { pay } from "@codemode/servers/ledger"; await pay({ entry: "a" }); console.log("heard"); await pay({ entry: "b" });`;
  const runs = makeDurableRuns({ store, run: host.run });
  const answer = await runs.begin({
    ...{ script: { code, name: "script.ts" }, access: ownAccess(config.policy), approve: async () => "granted" },
    emit: ({ type }) => void (type === "log" && hear()),
  });
  expect([answer.diagnostics, booked, await ledger.booked()]).toEqual([
    [],
    [{ "pay a": 1 }],
    { "pay a": 1, "pay b": 1 },
  ]);
  await runs.close();
});

test("after a failed write nothing more of a run is kept: there would be a gap before it", async () => {
  const run = aRun();
  const store = await openFileStore(await makeTestFolder(), undefined);
  const owned = await store.create(run);
  if (owned === "held") throw new Error("held");
  await owned.append([fire(1)]);
  const writes = breakWrite(1, "broken once");
  const failed = await Promise.allSettled([owned.append([fire(2)]), owned.append([fire(3)])]);
  writes.heal();
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(owned.append([fire(4)])).rejects.toThrow("input/output error");
  await owned.release();
  expect((await store.read(run.id))?.steps).toEqual([fire(1)]);
  await store.close();
});

test("a call is flushed before it is made, unless its tool only reads", async () => {
  const ledger = await startLedger();
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { ledger: { url: ledger.url } } } });
  const { config, host } = await openTestHost(cwd);
  const sent: unknown[] = [];
  const store = await openStore((steps, isFlushed) => {
    for (const step of steps) if (step.kind === "sent") sent.push([step.call, isFlushed]);
  });
  const code = `import { book, look, order } from "@codemode/servers/ledger";
await look({ entry: "a" }); await book({ entry: "b" }); await order({ entry: "c" });`;
  const request = {
    ...{
      script: { code, name: "script.ts" },
      access: ownAccess(config.policy),
      approve: async () => "granted" as const,
    },
  };
  expect(await makeDurableRuns({ store, run: host.run }).begin(request)).toMatchObject({ diagnostics: [] });
  expect(sent).toEqual([
    [1, false],
    [2, true],
    [3, true],
  ]);
});
