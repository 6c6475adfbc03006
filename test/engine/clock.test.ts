import { expect, test } from "vitest";
import { clock, delay, every } from "../../engine/clock.ts";
import { takeClock } from "../move-clock.ts";

test("a wait is over after its time or with its signal, and one that is stopped never", async () => {
  const over: string[] = [];
  const waits = (name: string) => () => void over.push(name);
  const leaving = new AbortController();
  const stop = clock.after(1, waits("stopped"));
  stop();
  void delay(60_000, { signal: leaving.signal }).then(waits("left"));
  void delay(60_000, { signal: AbortSignal.abort() }).then(waits("left before"));
  leaving.abort();
  await new Promise<void>((resolve) => {
    const end = every(1, () => {
      if (over.push("again") < 5) return;
      end();
      resolve();
    });
  });
  await delay(2);
  expect(over.toSorted()).toEqual(["again", "again", "again", "left", "left before"]);
});

test("a test moves all clocks, and what is due works in its order, each before the next", async () => {
  const time = takeClock({ stands: true });
  const before = [clock.now(), clock.wall(), clock.steady()];
  const seen: string[] = [];
  const note = (word: string): void => void seen.push(`${clock.now() - (before[0] ?? 0)} ${word}`);
  const end = every(1000, async () => {
    note("beats");
    await Promise.resolve();
    note("has beaten");
  });
  void delay(1500).then(() => note("waited"));
  await time.move(2500);
  end();
  expect(seen).toEqual(["1000 beats", "1000 has beaten", "1500 waited", "2000 beats", "2000 has beaten"]);
  time.skip(100);
  expect([clock.now(), clock.wall(), clock.steady()]).toEqual(before.map((ms) => ms + 2600));
  expect(time.waits()).toBe(0);
});
