import { randomBytes } from "node:crypto";
import { clock, every } from "../../engine/clock.ts";
import type { OpenWork } from "../../serve/http/open-work.ts";
import type { RunStore } from "../../serve/store/run-store.ts";
import type { OpenedStore } from "./postgres-store.ts";

/** What the parts of this process share. */
export interface Joined extends OpenedStore {
  replica: Replica;
  /** What is being written. */
  writes: OpenWork;
  /** Receives failures that no request is answered with. */
  onFailure(error: unknown): void;
}

/** This process among the processes of a store. */
export type Replica = Awaited<ReturnType<typeof joinReplicas>>;

const PREFIX = "replica/";
const BEAT_MS = 1000;
const SILENT_MS = 4000;
const CLOCKS_EVERY_MS = 60_000;
const LARGEST_SKEW_MS = 60_000;

/** @param onSkew called when the clock of this machine begins to differ from the store's by more than a minute */
export async function joinReplicas(store: RunStore, onSkew: (skewMs: number) => void) {
  const id = randomBytes(9).toString("base64url");
  const nameOf = (replica: string): string => PREFIX + replica;
  let heardAt = -Infinity;
  let skewMs = 0;
  const beat = async (): Promise<void> => {
    const begunAt = clock.now();
    await store.put(nameOf(id), Buffer.from("alive"), SILENT_MS);
    heardAt = Math.max(heardAt, begunAt);
  };
  const compareClocks = async (): Promise<void> => {
    const before = clock.wall();
    const there = await store.now();
    const wasFar = Math.abs(skewMs) > LARGEST_SKEW_MS;
    skewMs = Math.round((before + clock.wall()) / 2 - there);
    if (!wasFar && Math.abs(skewMs) > LARGEST_SKEW_MS) onSkew(skewMs);
  };
  await beat();
  await compareClocks();
  const ends = [
    every(BEAT_MS, () => beat().catch(() => undefined)),
    every(CLOCKS_EVERY_MS, () => compareClocks().catch(() => undefined)),
  ];
  return {
    id,
    /** Whether the store has answered this process lately. */
    isHeard: (): boolean => clock.now() - heardAt < SILENT_MS,
    /** By how much the clock of this machine is ahead of the store's, in milliseconds. */
    skewMs: (): number => skewMs,
    end: (): void => ends.forEach((end) => end()),
  };
}
