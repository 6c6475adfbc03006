import { afterAll, beforeAll } from "vitest";
import { makeSealer } from "../../../engine/store-plan.ts";
import type { DurableStore, OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { makeMemory, openMemoryStore } from "../../../extras/durable/stores/memory-store.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { startPglite } from "../stores/start-pglite.ts";

export const sealer = makeSealer("k".repeat(32));

/** Opens the same store as often as it is called: each time as a process of its own would. */
export type Reopen = (leaseMs?: number) => Promise<DurableStore>;

/** All kinds of stores, under one contract; several processes share the `sharedStores`. */
export function allStores() {
  let url: string;
  beforeAll(async () => void (url = await startPglite(afterAll)));
  const sharedStores: [string, () => Promise<Reopen>][] = [
    [
      "files",
      async () => {
        const folder = await makeTestFolder();
        return (leaseMs) => openFileStore(folder, sealer, leaseMs);
      },
    ],
    ["PostgreSQL", async () => (leaseMs) => openPostgresStore({ url, place: "the store", sealer }, leaseMs)],
  ];
  const inMemory = async (): Promise<Reopen> => {
    const memory = makeMemory();
    return async () => openMemoryStore(memory);
  };
  return { sharedStores, stores: [...sharedStores, ["memory", inMemory] as const], database: () => url };
}

export const fire = (timer: number): Step => ({ kind: "fire", timer, timeMs: timer });

export async function claim(store: DurableStore, id: string): Promise<OwnedRun> {
  const owned = await store.claim(id);
  if (owned === undefined || owned === "held") throw new Error("held");
  return owned;
}
