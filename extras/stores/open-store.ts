import { type Sealer, sealFor, type StorePlan } from "../../engine/store-plan.ts";
import type { RunStore } from "../../serve/store/run-store.ts";

/** The store of a configuration, and what encrypts its values; without a key only ids and states are kept. */
export interface OpenedStore {
  store: RunStore;
  sealer: Sealer | undefined;
}

/** How long a command waits for its answer, in milliseconds. */
export const COMMAND_MS = 3000;
/** One Redis or PostgreSQL may serve other programs too, and other projects. */
const PREFIX = "codemode:";

/** Connects to a store, each of whose commands is answered or fails within that time. Rejects with a `CodemodeError` where its package is missing or it does not answer. */
export async function openStore(
  { url, kind, place, sealer, project }: StorePlan,
  commandMs: number = COMMAND_MS,
): Promise<OpenedStore> {
  const open =
    kind === "redis"
      ? (await import("./redis-store.ts")).openRedisStore
      : (await import("./postgres-store.ts")).openPostgresStore;
  const own = project === undefined ? PREFIX : `${PREFIX}${project}:`;
  const store = await open(url, place, own, commandMs);
  return { store, sealer: project === undefined ? sealer : sealer && sealFor(project, sealer) };
}
