import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  makeIdleProcesses,
  MAX_GROWTH_BYTES,
  MAX_SHARED_MS,
  RENEWAL_MS,
  type IdleProcesses,
} from "../../../runtime/sandbox/pool/idle-processes.ts";
import { planLaunch } from "../../../runtime/sandbox/pool/launch-plan.ts";
import type { SandboxProcess } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import { executeScript, startWithHole } from "../../escape/start-with-hole.ts";
import type { NodeMajor } from "../../node-versions/find-node.ts";
import { startTakenOver } from "./taken-over.ts";

const RESULT = 'json({ type: "result", truncations: [], unawaited: [] }, "1");';
const RESTED = 'json({ type: "reset", isClean: true });';

/** A process that does this for each run. */
const startServing = (body = `${RESULT} ${RESTED}`) => startTakenOver(`for (;;) { ${body} next(); }`);

async function run(sandbox: SandboxProcess | undefined): Promise<void> {
  if (sandbox === undefined) throw new Error("no process rests");
  const { ending } = await executeScript(sandbox, "globalThis.__codemode_result__ = 1;");
  expect(ending).toMatchObject({ kind: "result", value: 1 });
}

/** Whichever comes first. */
const endOrRest = (sandbox: SandboxProcess, idle: IdleProcesses): Promise<string> =>
  Promise.race([
    sandbox.ended.then(() => "ended"),
    vi.waitUntil(() => idle.count() === 1, { timeout: 5000 }).then(() => "rests"),
  ]);

/** Without callers that wait for a process. */
const keepAll = (reuse: number, maxCount: number) =>
  makeIdleProcesses({ times: reuse, renew: "compartment" }, maxCount, () => false);

test("a process that has come to rest serves its trust domain again, as often as agreed", async () => {
  const idle = keepAll(2, 5);
  const sandbox = await startServing();
  const first = idle.lease(sandbox, "one");
  expect(first.renew).toBe("compartment");
  await run(first);
  await vi.waitUntil(() => idle.count() === 1);

  expect([idle.take("two"), idle.count()]).toEqual([undefined, 1]);
  const second = idle.take("one");
  expect([second?.pid, idle.count(), idle.take("one")]).toEqual([sandbox.pid, 0, undefined]);
  expect(second?.renew).toBe("compartment");
  await run(second);
  await vi.waitUntil(() => idle.count() === 1);

  const last = idle.take("one");
  expect(last).toBeDefined();
  expect(last?.renew).toBeUndefined();
  await run(last);
  expect(await sandbox.ended).toMatchObject({ wasKilled: true });
  expect(idle.count()).toBe(0);
});

test.each(["compartment", "realm"] as const)("objects of scripts that ended fill no process: %s", async (renewal) => {
  const { program } = await planLaunch({ node: process.execPath, maxMemoryBytes: 256 * 1024 * 1024, renewal });
  const flag = program.findLast((word) => word.startsWith("--max-semi-space-size="));
  // V8 collects young objects when half of their space is full, so in time all of it is resident.
  const youngBytes = 2 * Number(flag?.split("=")[1]) * 1024 * 1024;
  expect(youngBytes).toBeLessThan(MAX_GROWTH_BYTES[renewal]);
});

test("where no process serves twice each is lent as it is", async () => {
  const sandbox = await startServing();
  expect(keepAll(0, 5).lease(sandbox, "one")).toBe(sandbox);
});

test("of more than may rest the one that rests for longest is ended", async () => {
  const idle = keepAll(1, 2);
  const sandboxes = [await startServing(), await startServing(), await startServing()];
  for (const [index, sandbox] of sandboxes.entries()) {
    await run(idle.lease(sandbox, "one"));
    await vi.waitUntil(() => idle.count() === Math.min(index + 1, 2) && (index < 2 || !sandboxes[0]?.isAlive()));
  }
  expect(sandboxes.map((sandbox) => sandbox.isAlive())).toEqual([false, true, true]);
});

test("the last that came to rest serves first, and one that has died meanwhile is passed over", async () => {
  const idle = keepAll(1, 5);
  const sandboxes = [await startServing(), await startServing(), await startServing()];
  for (const [index, sandbox] of sandboxes.entries()) {
    await run(idle.lease(sandbox, "one"));
    await vi.waitUntil(() => idle.count() === index + 1);
  }
  const [first, second, third] = sandboxes as [SandboxProcess, SandboxProcess, SandboxProcess];
  expect(idle.take("one")?.pid).toBe(third.pid);
  second.kill();
  expect(idle.take("one")?.pid).toBe(first.pid);
  expect([idle.take("one"), idle.count()]).toEqual([undefined, 0]);
});

test("one that a caller waits for does not become idle", async () => {
  const offered: [SandboxProcess, string][] = [];
  const idle = makeIdleProcesses({ times: 2, renew: "compartment" }, 5, (...offer) => offered.push(offer) > 0);
  const sandbox = await startServing();
  await run(idle.lease(sandbox, "one"));
  await vi.waitUntil(() => offered.length === 1);
  const [[next, trustDomain] = []] = offered;
  expect([next?.pid, trustDomain, idle.count()]).toEqual([sandbox.pid, "one", 0]);
  expect(next?.renew).toBeDefined();
  await run(next);
  await vi.waitUntil(() => offered.length === 2);
});

describe("one that has answered and has not come to rest", () => {
  test("is waited for by its trust domain, for a moment", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    onTestFinished(() => now.mockRestore());
    const idle = keepAll(1, 5);
    const answered = run(idle.lease(await startServing(RESULT), "one"));
    expect(idle.countRenewing("one")).toBe(0);
    await answered;
    expect([idle.countRenewing("one"), idle.countRenewing("two")]).toEqual([1, 0]);
    now.mockReturnValue(1_000 + RENEWAL_MS.compartment);
    expect(idle.countRenewing("one")).toBe(0);
  });

  test("is not waited for where it makes a new realm, which takes longer than another process", async () => {
    const idle = makeIdleProcesses({ times: 1, renew: "realm" }, 5, () => false);
    await run(idle.lease(await startServing(RESULT), "one"));
    expect(idle.countRenewing("one")).toBe(0);
  });

  test("is not waited for when it rests", async () => {
    const idle = keepAll(1, 5);
    await run(idle.lease(await startServing(), "one"));
    await vi.waitUntil(() => idle.count() === 1);
    expect(idle.countRenewing("one")).toBe(0);
  });
});

describe("a process is ended", () => {
  test.each([
    ["that says something else than that it rests", `${RESULT} json({ type: "stopTimer", id: 1 });`],
    ["that sends no frame", `${RESULT} send("hello");`],
    ["in which something of the script may run again", `${RESULT} json({ type: "reset", isClean: false });`],
    ["that sends more than it needs to say that it rests", `${RESULT} send(" ".repeat(2000)); ${RESTED}`],
    ["that does not come to rest", RESULT],
    ["that holds much more memory than before", `globalThis.all = Buffer.alloc(48e6, 1); ${RESULT} ${RESTED}`],
  ])("%s", async (_name, body) => {
    const idle = keepAll(1, 5);
    const sandbox = await startServing(body);
    await run(idle.lease(sandbox, "one"));
    expect(await endOrRest(sandbox, idle)).toBe("ended");
    expect(await sandbox.ended).toMatchObject({ wasKilled: true });
  });

  test.each([
    ["a frame", RESTED],
    ["what is none", 'send("hello");'],
  ])("that sends %s while it rests", async (_name, late) => {
    const idle = keepAll(1, 5);
    const sandbox = await startServing(`${RESULT} ${RESTED} setTimeout(() => { ${late} }, 50); break;`);
    await run(idle.lease(sandbox, "one"));
    expect(await sandbox.ended).toMatchObject({ wasKilled: true });
    expect(idle.take("one")).toBeUndefined();
  });

  test("that was unused for ten seconds, and no other", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const idle = keepAll(2, 5);
    const sandboxes = [await startServing(), await startServing()];
    for (const [index, sandbox] of sandboxes.entries()) {
      await run(idle.lease(sandbox, "one"));
      await vi.waitUntil(() => idle.count() === index + 1);
    }
    vi.advanceTimersByTime(5000);
    expect(idle.count()).toBe(2);
    expect(idle.take("one")?.pid).toBe(sandboxes[1]?.pid);
    vi.advanceTimersByTime(10_000);
    expect([idle.count(), ...sandboxes.map((sandbox) => sandbox.isAlive())]).toEqual([0, false, true]);
  });

  test("whose runs have taken ten seconds together", async () => {
    const sandbox = await startWithHole(process.versions.node.split(".")[0] as NodeMajor, {});
    const idle = keepAll(100, 1);
    let passedMs = 0;
    const { now } = performance;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + passedMs);
    onTestFinished(() => clock.mockRestore());

    const runLong = async (process: typeof sandbox | undefined): Promise<void> => {
      const running = run(process);
      passedMs += MAX_SHARED_MS * 0.6;
      await running;
    };
    await runLong(idle.lease(sandbox, "one"));
    await vi.waitUntil(() => idle.count() === 1);
    await runLong(idle.take("one"));

    expect(await endOrRest(sandbox, idle)).toBe("ended");
  });
});

test("a process that ends by itself after its result is not waited for", async () => {
  const idle = keepAll(1, 5);
  const stopped = vi.spyOn(globalThis, "clearTimeout");
  onTestFinished(() => stopped.mockRestore());
  const started = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => started.mockRestore());
  const sandbox = await startServing(`${RESULT} process.exit(0);`);
  await run(idle.lease(sandbox, "one"));
  expect(await sandbox.ended).toMatchObject({ exitCode: 0, wasKilled: false });
  const timer: unknown = started.mock.results[started.mock.calls.findIndex(([, ms]) => ms === 1000)]?.value;
  expect(timer).toBeDefined();
  await vi.waitUntil(() => stopped.mock.calls.some(([cleared]) => cleared === timer));
});
