import { randomBytes } from "node:crypto";
import { durableFolder, planSealer, planStore } from "../../../engine/store-plan.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import { DURABLE_VERSION, type DurableRun } from "../../../extras/durable/steps.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { failedAnswer, type RunAnswer } from "../../../schemas/run/answer.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";

/** The time at which all of these runs were begun. */
export const BEGUN_AT = Date.UTC(2026, 10, 26);

/** Keeps a durable run with these steps, as a process does that has given it back. Gives its id. */
export async function keepRun(config: Config, steps: readonly Step[], settings: Partial<DurableRun> = {}) {
  const plan = planStore(config);
  const inFiles = () => openFileStore(durableFolder(config), planSealer(config));
  const store = await (plan === undefined ? inFiles() : openPostgresStore(plan));
  const owned = await store.create({
    ...{
      durableVersion: DURABLE_VERSION,
      id: randomBytes(16).toString("base64url"),
      key: "k",
      work: "w",
      pinned: "{}",
    },
    ...{ script: "script.ts", input: null, start: { timeMs: 0, seed: [1, 2, 3, 4] }, begunAt: BEGUN_AT },
    limits: { timeoutMs: 1, maxMemoryBytes: 1, maxToolCalls: 1, maxLogBytes: 1, maxResultBytes: 1 },
    madeBy: { codemode: "1.0.0", node: "v20" },
    ...settings,
  });
  if (owned === "held") throw new Error("There is a run of this id.");
  await owned.append(steps);
  await owned.release(steps.at(-1)?.kind === "ended" ? "over" : undefined);
  await store.close();
  return owned.run.id;
}

export function callOf(serverId: string, toolName: string): Step {
  return { kind: "call", call: 1, serverId, toolName, inputJson: '{"token":"hidden"}' };
}

export function endedWith(answer: Partial<RunAnswer>): Step {
  return { kind: "ended", at: BEGUN_AT + 1000, answer: { ...failedAnswer([]), ...answer } };
}
