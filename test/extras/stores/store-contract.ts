import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { NameStore } from "../../../serve/store/shared-state.ts";

const bytes = (text: string): Buffer => Buffer.from(text);

/**
 * What every store does, in memory or in a database.
 * @param pass lets time pass by the clock of the store
 */
export async function checkStore(
  store: NameStore,
  other: NameStore,
  // sleeps: a database has a clock of its own
  pass: (ms: number) => Promise<unknown> = delay,
): Promise<void> {
  const name = (kind: string): string => `${kind}/${randomUUID()}`;
  // Values are any bytes, and the last one counts.
  const put = name("put");
  const binary = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  await store.put(put, bytes("first"), 60_000);
  await store.put(put, binary, 60_000);
  expect(await other.get(put)).toEqual(binary);
  await store.put(put, Buffer.alloc(0), 60_000);
  expect(await other.get(put)).toEqual(Buffer.alloc(0));

  // What is over is not there, and its name is free.
  const short = name("short");
  await store.put(short, bytes("x"), 20);
  await pass(40);
  expect(await other.get(short)).toBeUndefined();
  await other.put(short, bytes("y"), 60_000);
  expect(String(await store.get(short))).toBe("y");

  // A minute's runs may be used at once, by all together; then one comes back after another.
  const limit = name("limit");
  const waits = await Promise.all(
    Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? store : other).limit(limit, 5)),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  for (const wait of waits.filter((refused) => refused > 0)) {
    expect(wait).toBeGreaterThan(9000);
    expect(wait).toBeLessThanOrEqual(12_000);
  }
  expect(await store.limit(name("limit"), 5)).toBe(0);
  const fast = name("limit");
  await Promise.all(Array.from({ length: 60 }, () => store.limit(fast, 60)));
  await pass(1100);
  expect(await store.limit(fast, 60)).toBe(0);
}
