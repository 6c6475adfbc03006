import { afterAll, describe, expect, test } from "vitest";
import { makeSandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import type { Recording } from "../../../schemas/run/recording.ts";
import { makeReplayer } from "../../../extras/record/replayer.ts";
import { runWithDispatcher } from "../../../runtime/sandbox/pool/run-bundle.ts";
import { CALL, recordScript } from "./record-script.ts";

/** Looks at all that a run before it could have changed: globals, intrinsics, time, zone, random numbers, stacks, the order of turns. */
const LOOK = `${CALL}
  const order = [];
  setTimeout(() => order.push("timer"), 5);
  Promise.resolve().then(() => order.push("promise"));
  const depth = () => { try { null.x; } catch (error) { return error.stack.split("\\n").length; } };
  const before = [
    Object.getOwnPropertyNames(globalThis).sort().join(), typeof left, "left" in [], Array.prototype.at.left,
    new Date().toISOString(), new Date(0).getHours(), new Intl.DateTimeFormat().resolvedOptions().timeZone,
    Math.random(), crypto.randomUUID(), performance.now(), depth(),
  ];
  const replies = await Promise.all([call("a", 1), call("b", { of: "two" })]);
  await sleep(10);
  console.log(order.join());
  __codemode_result__ = [before, replies, Math.random()];`;

/** Leaves what a script can leave: globals, timers, promises that never settle, and calls that nothing waits for. */
const LEAVE = `${CALL}
  globalThis.left = 1;
  try { Array.prototype.left = 1; } catch {}
  try { Array.prototype.at.left = 1; } catch {}
  Math.random();
  setTimeout(() => {}, 1000);
  void call("late", 1);
  void new Promise(() => {});
  __codemode_result__ = "left";`;

describe.each(["compartment", "realm"] as const)("a repeatable run in a renewed process, level %s", (renew) => {
  const pool = makeSandboxPool({ reuse: { times: 1000, renew } });
  const fresh = makeSandboxPool({ refill: false });
  afterAll(() => Promise.all([pool.close(), fresh.close()]));

  /** What a run sees and does that hears what is recorded. */
  const play = async (recording: Recording, where: typeof pool) => {
    const replayer = makeReplayer(recording, false);
    const { bundle, limits, input } = recording;
    const options = { pool: where, limits, input, timekeeper: replayer.timekeeper, trustDomain: "one script" };
    const answer = await runWithDispatcher(bundle, replayer.dispatcher, options);
    return JSON.stringify([answer, replayer.divergence(), replayer.calls, replayer.events]);
  };

  test("sees and does what it does in a new one, first, fiftieth, and after scripts that leave something", async () => {
    const { recording } = await recordScript(LOOK, { pool: fresh });
    const expected = await play(recording, fresh);
    const { recording: leaving } = await recordScript(LEAVE, { pool: fresh });
    const seen = new Set<string>();
    for (let run = 1; run <= 50; run += 1) {
      if (run % 10 === 0) await play(leaving, pool);
      seen.add(await play(recording, pool));
    }
    expect([...seen]).toEqual([expected]);
  });
});
