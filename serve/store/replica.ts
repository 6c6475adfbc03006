import { randomBytes } from "node:crypto";
import type { RunStore } from "./run-store.ts";

/** This process among those that share a store. */
export interface Replica {
  id: string;
  /** Whether another one is there: it says so every second. */
  isAlive(id: string): Promise<boolean>;
  end(): void;
}

const BEAT_MS = 1000;
/** So that a client waits no longer than 5 s to learn that its run is lost. */
const SILENT_MS = 4000;

export async function joinReplicas(store: RunStore): Promise<Replica> {
  const id = randomBytes(9).toString("base64url");
  const nameOf = (replica: string): string => `replica/${replica}`;
  const beat = (): Promise<void> => store.put(nameOf(id), Buffer.from("alive"), SILENT_MS);
  await beat();
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS).unref();
  return {
    id,
    isAlive: async (other) => other === id || (await store.get(nameOf(other))) !== undefined,
    end: () => clearInterval(timer),
  };
}
