import { setImmediate as turn } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { clock } from "../engine/clock.ts";

interface Waiting {
  dueAt: number;
  fire: () => unknown;
}

/** Work that waits for a moved clock itself is not waited for any longer. */
const LONGEST_WORK_MS = 1000;
/** For what goes on when a wait is over. */
const TURNS = 4;

/**
 * Takes the clock of this process in hand until the test ends. More time passes at once where the test says so: each wait that is then over ends at its time
 * and in its order, and its work is done before the next one ends.
 * @param stands whether no time passes by itself, for tests that wait for nothing real
 */
export function takeClock({ stands = false } = {}) {
  const real = { ...clock };
  // Whole numbers: what is due at the end of a move is not missed by a fraction.
  const begun = { now: Math.ceil(real.now()), wall: real.wall(), steady: Math.ceil(real.steady()) };
  const waiting = new Set<Waiting>();
  let aheadMs = 0;
  const read = (name: keyof typeof begun) => (): number => (stands ? begun[name] : real[name]()) + aheadMs;
  Object.assign(clock, {
    ...{ now: read("now"), wall: read("wall"), steady: read("steady") },
    after(ms, call, holding) {
      const fire = (): unknown => {
        stop();
        return call();
      };
      const entry = { dueAt: clock.now() + ms, fire };
      const stopReal = stands ? undefined : real.after(ms, fire, holding);
      const stop = (): void => {
        waiting.delete(entry);
        stopReal?.();
      };
      waiting.add(entry);
      return stop;
    },
  } satisfies typeof clock);
  onTestFinished(() => void Object.assign(clock, real));

  /** Lets so much time pass. */
  const move = async (ms: number): Promise<void> => {
    await turns();
    const untilMs = aheadMs + ms;
    for (;;) {
      const [next] = [...waiting].toSorted((one, other) => one.dueAt - other.dueAt);
      const dueMs = next === undefined ? Infinity : aheadMs + Math.max(0, next.dueAt - clock.now());
      if (next === undefined || dueMs > untilMs) break;
      aheadMs = dueMs;
      await settled(next.fire(), real);
      await turns();
    }
    aheadMs = Math.max(aheadMs, untilMs);
    await turns();
  };
  return {
    move,
    /** Lets so much time pass in which nothing of this process works, as while a machine sleeps: what is due then is late. */
    skip: (ms: number): void => void (aheadMs += ms),
    /** How many waits are not over. */
    waits: (): number => waiting.size,
    /** Lets time pass in steps until something is so. */
    async moveUntil(isSo: () => unknown, stepMs = 250): Promise<void> {
      for (let steps = 0; !(await isSo()); steps += 1) {
        if (steps === MOST_STEPS) throw new Error("It does not come, however much time passes.");
        await move(stepMs);
        await new Promise<void>((resolve) => void real.after(1, resolve));
      }
    },
  };
}

const MOST_STEPS = 1000;

async function turns(): Promise<void> {
  for (let left = TURNS; left > 0; left -= 1) await turn();
}

async function settled(work: unknown, { after }: typeof clock): Promise<void> {
  if (!(work instanceof Promise)) return;
  let stop = (): void => undefined;
  const isLong = new Promise<void>((resolve) => (stop = after(LONGEST_WORK_MS, resolve)));
  await Promise.race([work.catch(() => undefined), isLong]);
  stop();
}
