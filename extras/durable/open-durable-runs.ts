import type { DurableExtra } from "../../engine/run/durable-extra.ts";
import { readApprovalKey } from "../../engine/approval-secret.ts";
import { durableFolder, planSealer, planStore } from "../../engine/store-plan.ts";
import { askingFolder, makeAskingRuns } from "./asking-runs.ts";
import { makeDurableRuns } from "./durable-runs.ts";
import type { KeptRun } from "./kept-runs.ts";
import { targetsOf } from "./targets.ts";

/** Opens the durable runs of a project: in `serve.store` where there is one, in memory where a program says so, else in files of this account. With `serve.storeKey` all is encrypted. */
export const openDurableRuns: DurableExtra["openDurableRuns"] = async (
  config,
  { run, bundle, lockfile },
  env = process.env,
) => {
  const plan = planStore(config, env);
  // Read once: a key that is written while this process lives may be the agent's.
  const common = {
    run,
    bundle,
    lockfile,
    targets: targetsOf(config, env),
    project: config.folder,
    key: readApprovalKey(env),
  };
  if (plan !== undefined) {
    const { openPostgresStore } = await import("./stores/postgres-store.ts");
    return makeDurableRuns({ ...common, store: await openPostgresStore(plan) });
  }
  if (config.memory?.keepsRuns === true) {
    const { makeMemory, openMemoryStore } = await import("./stores/memory-store.ts");
    return makeDurableRuns({ ...common, store: openMemoryStore(makeMemory()) });
  }
  const { openFileStore } = await import("./stores/file-store.ts");
  const store = await openFileStore(durableFolder(config, env), planSealer(config, env));
  return makeDurableRuns({ ...common, store });
};

/** Opens the questions of runs that are not durable. With `serve.storeKey` they are encrypted as durable runs are. */
export const openAskingRuns: DurableExtra["openAskingRuns"] = async (config, options, env = process.env) => {
  const { openFileStore } = await import("./stores/file-store.ts");
  const folder = askingFolder(durableFolder(config, env));
  const store = await openFileStore<KeptRun>(folder, planSealer(config, env));
  return makeAskingRuns({ store, project: config.folder }, options);
};

/** Opens a batch in the store of a project; undefined where it has none. */
export const openBatch: DurableExtra["openBatch"] = async (config, shared, env = process.env) => {
  const plan = planStore(config, env);
  if (plan === undefined) return undefined;
  const { lendDatabase } = await import("./stores/join-database.ts");
  const { openBatchInputs } = await import("./stores/batch-inputs.ts");
  const database = await lendDatabase(plan);
  return openBatchInputs(database, plan, shared).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
};
