import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import {
  DURABLE_VERSION,
  type DurableRun,
  type DurableStore,
  type OwnedRun,
} from "../../../extras/durable/kept-runs.ts";

let runs = 0;

/** What a run is begun with; each is another one. */
export function aRun(): DurableRun {
  runs += 1;
  return {
    ...{ durableVersion: DURABLE_VERSION, id: String(runs).padStart(22, "r"), key: "k", work: "w", pinned: "{}" },
    ...{ script: "script.ts", input: null, start: { timeMs: 0, seed: [1, 2, 3, 4] }, begunAt: 0 },
    limits: { timeoutMs: 1, maxMemoryBytes: 1, maxToolCalls: 1, maxLogBytes: 1, maxResultBytes: 1 },
    ...{ program: "sha256-program", servers: {}, tools: [], locked: {}, begunOn: { machine: "another", steadyMs: 0 } },
    madeBy: { codemode: "1.0.0", node: "v20" },
  };
}

export async function create(store: DurableStore, run = aRun()): Promise<OwnedRun> {
  const owned = await store.create(run);
  if (owned === "held") throw new Error("held");
  return owned;
}

export async function listIds(store: DurableStore): Promise<string[]> {
  return (await store.list()).map(({ id }) => id);
}

export async function listFreeIds(store: DurableStore): Promise<string[]> {
  return (await store.listFree()).map(({ id }) => id);
}

/** The runs of a store in a process that looks at them, and has no way to run one. */
export function lookAt(store: DurableStore) {
  return makeDurableRuns({ store, run: () => Promise.reject(new Error("nothing runs here")) });
}
