import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import type { Renewal } from "../../schemas/run/protocol.ts";
import type { Reuse } from "../../runtime/sandbox/pool/idle-processes.ts";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { ALL_NODE_VERSIONS, findNode, NODE_VERSIONS, type NodeMajor } from "../node-versions/find-node.ts";
import { runScript, type ScriptOptions } from "../sandbox/realm/run-script.ts";
import { type Leak, LEAKS, REMAINS } from "./leaks.ts";

/** A pool whose processes serve again. It starts processes on demand only, so that the next run gets an idle process. */
const makeReusingPool = (version: NodeMajor, { times = 1000, renew = "compartment" }: Partial<Reuse> = {}) =>
  makeSandboxPool({ node: findNode(version), reuse: { times, renew }, refill: false });

/** A pool with the ids of the processes that it gave. */
type WatchedPool = SandboxPool & { pids: number[] };

function watchPool(pool: SandboxPool): WatchedPool {
  const pids: number[] = [];
  const take: SandboxPool["take"] = async (trustDomain) => {
    const sandbox = await pool.take(trustDomain);
    pids.push(sandbox.pid);
    return sandbox;
  };
  return { ...pool, take, pids };
}

/** What each leak would have to be found by, in a process of its own: at every level the same. */
const alone = new Map<string, Promise<RunAnswer>>();

function findAlone({ name, find }: Leak, version: NodeMajor, pool: SandboxPool): Promise<RunAnswer> {
  const key = `${version} ${name}`;
  const known = alone.get(key) ?? runUntimed(asResult(find), { pool, input: null });
  alone.set(key, known);
  return known;
}

/** Without the times of its logs and calls. */
async function runUntimed(body: string, options: ScriptOptions): Promise<RunAnswer> {
  const answerCall = ({ toolName, input }: ToolCall): ToolReply | Promise<ToolReply> =>
    toolName === "never" ? new Promise(() => {}) : { ok: true, value: input };
  const answer = await runScript(body, { ...options, answerCall, limits: { maxLogBytes: 10_000 } });
  const logs = answer.logs.map((entry) => ({ ...entry, timeMs: 0 }));
  return { ...answer, logs, toolTrace: answer.toolTrace.map((entry) => ({ ...entry, durationMs: 0 })) };
}

const asResult = (body: string): string => `globalThis.__codemode_result__ = await (async () => { ${body} })();`;

/** Every version with compartments; realms, which share less, on the oldest and the newest. */
const LEVELS = ALL_NODE_VERSIONS.flatMap((version, index): [NodeMajor, Renewal][] => {
  const hasRealms = index === 0 || index === ALL_NODE_VERSIONS.length - 1;
  const levels: Renewal[] = hasRealms ? ["compartment", "realm"] : ["compartment"];
  return levels.map((renew) => [version, renew]);
});

describe.each(LEVELS)("on Node %s, to the next %s in its process a script cannot leave", (version, renew) => {
  // One pool for all of them, as it has to ask the binary for its version: each that leaves nothing has a trust domain, and so a process, of its own.
  const shared = makeReusingPool(version, { renew });
  afterAll(() => shared.close());

  test.each(LEAKS)("$name", { timeout: 60_000 }, async (leak) => {
    const pool = watchPool(shared);
    const options = { pool, trustDomain: leak.name };
    await runUntimed(leak.leave, { ...options, input: { secret: 1 } });
    const after = await runUntimed(asResult(leak.find), options);

    expect(after).toEqual(await findAlone(leak, version, shared));
    expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(pool.pids[1]).toBe(pool.pids[0]);
  });

  test("what comes next of its random numbers", { timeout: 60_000 }, async () => {
    const pool = watchPool(shared);
    const draw = () =>
      runUntimed(asResult("return Array.from({ length: 4 }, Math.random);"), { pool, trustDomain: "numbers" });
    const drawn = [await draw(), await draw(), await draw()].flatMap(({ result }) => result as number[]);

    expect(new Set(pool.pids).size).toBe(1);
    expect(new Set(drawn).size).toBe(12);
  });

  // What a script held may be collected with its realm.
  const remains = Object.entries(REMAINS).filter(([name]) => renew === "compartment" || name !== "much memory");
  test.each(remains)("%s: its process is ended", { timeout: 60_000 }, async (_name, leave) => {
    const pool = watchPool(shared);
    const options = { pool, trustDomain: "remains" };
    await runUntimed(leave, options);
    const after = await runUntimed(
      asResult("await new Promise((resolve) => setTimeout(resolve, 20)); return 1;"),
      options,
    );

    expect(after).toEqual({ logs: [], result: 1, diagnostics: [], toolTrace: [] });
    expect(pool.pids[1]).not.toBe(pool.pids[0]);
  });
});

describe("a process serves again", () => {
  const [version] = NODE_VERSIONS;
  const run = (options: ScriptOptions) => runUntimed(asResult("return 1;"), options);
  const makePool = (times?: number): WatchedPool => {
    const pool = makeReusingPool(version, times === undefined ? {} : { times });
    onTestFinished(() => pool.close());
    return watchPool(pool);
  };

  test("as often as is set, and no more", async () => {
    const pool = makePool(2);
    for (let runs = 0; runs < 4; runs += 1) await run({ pool, trustDomain: "one" });
    const [first, ...others] = pool.pids;
    expect(others.map((pid) => pid === first)).toEqual([true, true, false]);
  });

  test("only for the trust domain of its first run", async () => {
    const pool = makePool();
    await run({ pool, trustDomain: "one" });
    await run({ pool, trustDomain: "another" });
    await run({ pool });
    expect(new Set(pool.pids).size).toBe(3);
    await run({ pool, trustDomain: "one" });
    expect(pool.pids[3]).toBe(pool.pids[0]);
  });

  test("never before or after a recorded run", async () => {
    const pool = makePool();
    await run({ pool, trustDomain: "one" });
    await run({ pool, trustDomain: "one", isRecorded: true });
    expect(pool.pids[1]).not.toBe(pool.pids[0]);
    await run({ pool, trustDomain: "one" });
    expect(pool.pids[2]).toBe(pool.pids[0]);
  });

  test("not unless it is set", async () => {
    const pool = makePool(0);
    await run({ pool, trustDomain: "one" });
    await run({ pool, trustDomain: "one" });
    expect(pool.pids[1]).not.toBe(pool.pids[0]);
  });
});
