import { afterEach, expect, test, vi } from "vitest";
import { makeLedgerProject, startLedger } from "./start-ledger.ts";

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
  for (let at = 0; at < 3; at += 1) {
    await book({ entry: String(at) });
    const before = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 300));
    waited.push(Date.now() - before);
  }
  export default waited;`;

test.each(STEPS)(
  "a clock that is set %s changes no delay of a run, and takes it from no process",
  async (_, stepMs) => {
    const ledger = await startLedger();
    const project = await makeLedgerProject(ledger.url);
    // In its sandbox, and without one.
    for (const suspendAfterMs of [60_000, 50]) {
      const engine = await project.openEngine();
      const begunAt = performance.now();
      const key = String(suspendAfterMs);
      const code = CODE.replace("String(at)", `"${key} " + at`);
      const running = engine.run({ code }, { key, durable: { suspendAfterMs } });
      await expect.poll(async () => (await ledger.booked())[`book ${key} 1`], { timeout: 15_000 }).toBe(1);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + stepMs, shouldAdvanceTime: true });
      const { result, diagnostics } = await running;
      vi.useRealTimers();
      expect(diagnostics).toEqual([]);
      for (const ms of result as number[]) expect(ms).toBeGreaterThanOrEqual(300);
      for (const ms of result as number[]) expect(ms).toBeLessThan(5000);
      expect(performance.now() - begunAt).toBeLessThan(15_000);
      await engine.close();
    }
  },
);

test("a run that another process goes on with after the clock was set waits the rest of its delay", async () => {
  const ledger = await startLedger();
  const project = await makeLedgerProject(ledger.url);
  for (const stepMs of [-HOUR_MS, HOUR_MS]) {
    const engine = await project.openEngine();
    const code = `const before = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      export default Date.now() - before;`;
    const running = engine.run({ code }, { durable: { suspendAfterMs: 50 } });
    const runs = await engine.durableRuns();
    await expect.poll(async () => (await runs.list()).at(-1)?.state, { timeout: 15_000 }).toBe("waiting");
    const { id = "" } = (await runs.list()).at(-1) ?? {};
    await engine.close();
    await running;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + stepMs, shouldAdvanceTime: true });
    const later = await project.openEngine();
    const { result } = await (await later.durableRuns()).resume(id, { suspendAfterMs: 50 });
    vi.useRealTimers();
    expect(result).toBeGreaterThanOrEqual(1500);
    expect(result).toBeLessThan(10_000);
  }
});
