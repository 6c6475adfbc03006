import { afterEach, expect, test, vi } from "vitest";
import type { OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { clockOf, describeClock } from "../../../extras/durable/script-clock.ts";
import { beginRun, startProject } from "./start-ledger.ts";

afterEach(() => void vi.useRealTimers());

const HOUR_MS = 3_600_000;
const STEPS: [string, number][] = [
  ["back by an hour", -HOUR_MS],
  ["forward by an hour", HOUR_MS],
  ["back by ten years", -10 * 365 * 24 * HOUR_MS],
  ["forward by ten years", 10 * 365 * 24 * HOUR_MS],
];

const CODE = `import { book } from "@codemode/servers/ledger";
  const waited = [];
  for (let at = 0; at <= ${STEPS.length}; at += 1) {
    await book({ entry: String(at) });
    const before = Date.now();
    // sleeps: the delay of a script is what is measured
    await new Promise((resolve) => setTimeout(resolve, 300));
    waited.push(Date.now() - before);
  }
  export default waited;`;

test(`a clock that is set ${STEPS.map(([by]) => by).join(", ")} changes no delay of a run, and takes it from no process`, async () => {
  const { ledger, project } = await startProject();
  // In its sandbox, and without one.
  for (const suspendAfterMs of [60_000, 50]) {
    const engine = await project.openEngine();
    const key = String(suspendAfterMs);
    const code = CODE.replace("String(at)", `"${key} " + at`);
    const running = engine.run({ code }, { key, durable: { suspendAfterMs } });
    for (const [at, [, stepMs]] of STEPS.entries()) {
      await expect.poll(async () => (await ledger.booked())[`book ${key} ${at}`], { timeout: 15_000 }).toBe(1);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + stepMs, shouldAdvanceTime: true });
    }
    const { result, diagnostics } = await running;
    vi.useRealTimers();
    expect(diagnostics).toEqual([]);
    expect(result).toHaveLength(STEPS.length + 1);
    for (const ms of result as number[]) expect(ms).toBeGreaterThanOrEqual(300);
    // A busy machine makes a delay longer, but by less than the clock was set.
    for (const ms of result as number[]) expect(ms).toBeLessThan(HOUR_MS / 2);
    await engine.close();
  }
});

test("a run that another process goes on with after the clock was set waits the rest of its delay, and says it once", async () => {
  const { project } = await startProject();
  const steps: [number, string | undefined][] = [
    [-HOUR_MS, "set back by 60 minutes"],
    [72 * HOUR_MS, "set forward by 3 days"],
    // As a clock does that is kept right over a network.
    [3000, undefined],
  ];
  for (const [stepMs, said] of steps) {
    const engine = await project.openEngine();
    const code = `const before = Date.now();
      // sleeps: a process ends and another goes on within the delay
      await new Promise((resolve) => setTimeout(resolve, 1500));
      export default Date.now() - before;`;
    const { id, running, runs } = await beginRun(engine, { code }, { durable: { suspendAfterMs: 50 } });
    await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
    await engine.close();
    await running;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + stepMs, shouldAdvanceTime: true });
    const later = await project.openEngine();
    const laterRuns = await later.durableRuns();
    const answers = [await laterRuns.resume(id, { suspendAfterMs: 50 }), await laterRuns.resume(id)];
    vi.useRealTimers();
    for (const { result, diagnostics } of answers) {
      expect(result).toBeGreaterThanOrEqual(1500);
      expect(result).toBeLessThan(HOUR_MS / 2);
      const warnings = said === undefined ? [] : [{ code: "CLOCK_CHANGED", message: expect.stringContaining(said) }];
      expect(diagnostics).toMatchObject(warnings);
      expect(diagnostics).toHaveLength(warnings.length);
    }
  }
});

test("a clock that was set back says so on another machine too, where it shows less time than the script has seen", () => {
  const begunAt = Date.now() + HOUR_MS;
  const begunOn = { machine: "another", steadyMs: 0 };
  const clockAfter = (heardMs: number, timeMs: number) =>
    clockOf({
      run: { start: { timeMs, seed: [] }, begunOn },
      steps: [{ kind: "fire", timer: 1, timeMs: heardMs }],
    } as unknown as OwnedRun);
  const behind = clockAfter(5000, begunAt);
  expect(behind.elapsed()).toBeLessThan(HOUR_MS / 2);
  expect(describeClock(behind)).toMatchObject([{ message: expect.stringContaining("set back by 60 minutes") }]);
  expect(describeClock(clockAfter(5000, Date.now() - 6000))).toEqual([]);
});
