import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import type { DurableStore, OwnedRun } from "../../../extras/durable/run-store.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import { makeProject } from "../../e2e/run-codemode.ts";
import { openTestHost } from "../../engine/run/open-test-host.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { startLedger } from "./start-ledger.ts";

const SUSPEND_AFTER_MS = 50;

/** A store that takes longer to keep a decision than a run waits in its sandbox. */
async function openSlowStore(): Promise<DurableStore> {
  const store = await openFileStore(await makeTestFolder(), undefined);
  const slow = (owned: OwnedRun): OwnedRun => {
    let last: Promise<void> = Promise.resolve();
    return {
      ...owned,
      append(steps, isFlushed) {
        const isDecided = steps.some(({ kind }) => kind === "decided");
        const before = last;
        const keep = async (): Promise<void> => {
          await before;
          if (isDecided) await delay(4 * SUSPEND_AFTER_MS);
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
      return owned === "held" ? owned : slow(owned);
    },
  };
}

test("a run whose sandbox is given back while a decision is kept makes the call once, afterwards", async () => {
  const ledger = await startLedger();
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { ledger: { url: ledger.url } }, policy: { askEach: ["ledger/pay"] } },
  });
  const { config, host } = await openTestHost(cwd);
  const runs = makeDurableRuns({ store: await openSlowStore(), run: host.run });
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
