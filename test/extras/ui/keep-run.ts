import { randomBytes } from "node:crypto";
import { durableFolder, planSealer, planStore } from "../../../engine/store-plan.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import type { DurableRun } from "../../../extras/durable/kept-runs.ts";
import { aRun, create } from "../durable/a-run.ts";
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
  const id = randomBytes(16).toString("base64url");
  const owned = await create(store, { ...aRun(), id, begunAt: BEGUN_AT, ...settings });
  await owned.append(steps);
  await owned.release(steps.at(-1)?.kind === "ended" ? "over" : undefined);
  await store.close();
  return owned.run.id;
}

export function callOf(serverId: string, toolName: string): Step {
  return { kind: "call", call: 1, serverId, toolName, inputJson: '{"token":"hidden"}', timeMs: 0 };
}

export function endedWith(answer: Partial<RunAnswer>): Step {
  return { kind: "ended", at: BEGUN_AT + 1000, answer: { ...failedAnswer([]), ...answer }, ending: "result" };
}
