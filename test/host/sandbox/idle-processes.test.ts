import { expect, onTestFinished, test, vi } from "vitest";
import { makeIdleProcesses, MAX_SHARED_MS } from "../../../runtime/host/sandbox/idle-processes.ts";
import { conductScript, startWithHole } from "../../escape/start-with-hole.ts";

test("a process whose runs have taken ten seconds together is ended, and serves no other", async () => {
  const sandbox = await startWithHole("20", {});
  const idle = makeIdleProcesses(100, 1, () => false);
  let passedMs = 0;
  const { now } = performance;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + passedMs);
  onTestFinished(() => clock.mockRestore());

  const run = async (process: typeof sandbox | undefined): Promise<void> => {
    if (process === undefined) throw new Error("no process rests");
    const running = conductScript(process, "globalThis.__codemode_result__ = 1;");
    passedMs += MAX_SHARED_MS * 0.6;
    expect(await running).toMatchObject({ ending: { kind: "result" } });
  };
  await run(idle.lease(sandbox, "one"));
  await vi.waitUntil(() => idle.count() === 1);
  await run(idle.take("one"));

  const outcome = await Promise.race([
    sandbox.ended.then(() => "ended"),
    vi.waitUntil(() => idle.count() === 1, { timeout: 5000 }).then(() => "rests"),
  ]);
  expect(outcome).toBe("ended");
});
