import { clock, every } from "../../engine/clock.ts";
import type { NameStore } from "../../serve/store/shared-state.ts";

/** What is known of a store by asking it every second. */
export interface StoreHealth {
  /** Whether it has answered lately. */
  isReachable(): boolean;
  /** By how much the clock of this machine is ahead of its clock, in milliseconds. */
  skewMs(): number;
  end(): void;
}

const ASK_EVERY_MS = 1000;
const SILENT_MS = 4000;
const LARGEST_SKEW_MS = 60_000;

/**
 * Watches a store; rejects where it does not answer at once.
 * @param onSkew called when the clock of this machine begins to differ from the store's by more than a minute
 */
export async function watchHealth(
  store: Pick<NameStore, "now">,
  onSkew: (skewMs: number) => void,
): Promise<StoreHealth> {
  let answeredAt = -Infinity;
  let skewMs = 0;
  const ask = async (): Promise<void> => {
    const [begunAt, before] = [clock.now(), clock.wall()];
    const there = await store.now();
    answeredAt = Math.max(answeredAt, begunAt);
    const wasFar = Math.abs(skewMs) > LARGEST_SKEW_MS;
    skewMs = Math.round((before + clock.wall()) / 2 - there);
    if (!wasFar && Math.abs(skewMs) > LARGEST_SKEW_MS) onSkew(skewMs);
  };
  await ask();
  const end = every(ASK_EVERY_MS, () => ask().catch(() => undefined));
  return { isReachable: () => clock.now() - answeredAt < SILENT_MS, skewMs: () => skewMs, end };
}
