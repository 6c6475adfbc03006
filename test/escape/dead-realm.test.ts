import { describe, expect, test } from "vitest";
import type { Renewal } from "../../schemas/run/protocol.ts";
import { makeIdleProcesses } from "../../runtime/sandbox/pool/idle-processes.ts";
import type { SandboxProcess } from "../../runtime/sandbox/pool/sandbox-process.ts";
import { ALL_NODE_VERSIONS, type NodeMajor } from "../node-versions/find-node.ts";
import { executeScript, startWithHole } from "./start-with-hole.ts";

/** Leaves the prototype of segments changeable: the only way from one run to the next that was ever found. */
const HOLE = { "hardenSegments((value) => harden(value));": "" };

/** Plants `code` as a method of the shared prototype, with what its run was given. */
const plant = (code: string): string => `
  const given = { call: globalThis.__codemode_call__, log: console.log, setTimeout, clearTimeout, performance, crypto, Math, Event, EventTarget, AbortSignal, AbortController, console, queueMicrotask };
  const attempt = (action) => { try { return String(action()); } catch (error) { return error.message; } };
  Object.getPrototypeOf(new Intl.Segmenter().segment("a")).containing = function () { ${code} };
  globalThis.__codemode_result__ = 1;`;

const USE = `globalThis.__codemode_result__ = await new Intl.Segmenter().segment("private").containing(0);`;

/** Compares what the first run was given with what stands under the same name in the second. */
const COMPARE = `
  const mine = { setTimeout, clearTimeout, performance, crypto, Math, Event, EventTarget, AbortSignal, AbortController, console, queueMicrotask };
  const theirs = new Intl.Segmenter().segment("private").containing();
  const shared = Object.keys(mine).filter((name) => mine[name] === theirs[name]);
  class Mine extends EventTarget {}
  globalThis.__codemode_result__ = {
    shared,
    isEvent: new theirs.Event("a") instanceof Event,
    isTarget: new Mine() instanceof theirs.EventTarget,
    isOlder: theirs.performance.timeOrigin < performance.timeOrigin,
    sameBytes: theirs.crypto.randomUUID() === crypto.randomUUID(),
    sameNumber: theirs.Math.random() === Math.random(),
  };`;

/** Each must have come to nothing when the second run ends. */
const REMAINS: Readonly<Record<string, { code: string; got: unknown }>> = {
  "a log": { code: `return attempt(() => given.log([...this].length));`, got: OVER() },
  "a tool call": { code: `return given.call("server", "tool", "{}").catch((error) => error.message);`, got: OVER() },
  "a signal that times out": { code: `return attempt(() => given.AbortSignal.timeout(1));`, got: OVER() },
  "a timer": { code: `return attempt(() => given.setTimeout(() => {}, 1));`, got: OVER() },
};

function OVER(): unknown {
  return "The run that this belongs to is over";
}

describe.each(ALL_NODE_VERSIONS)(
  "on Node %s, code of an earlier run that runs in a later one cannot make",
  (version) => {
    test.each(Object.entries(REMAINS))("%s", { timeout: 60_000 }, async (_name, { code, got }) => {
      const second = await startSecond(version, plant(code));

      expect(await executeScript(second, USE)).toMatchObject({
        ending: { kind: "result", value: got },
        logs: [],
        calls: 0,
      });
    });
  },
);

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  test(
    "what an earlier run was given leads to no clock, timer, random number or class of a later one",
    { timeout: 60_000 },
    async () => {
      const second = await startSecond(version, plant("return given;"));
      const { ending } = await executeScript(second, COMPARE);

      expect(ending).toMatchObject({
        kind: "result",
        value: { shared: [], isEvent: false, isTarget: false, isOlder: true, sameBytes: false, sameNumber: false },
      });
    },
  );
});

describe.each(ALL_NODE_VERSIONS)("on Node %s, a realm of an earlier run", (version) => {
  test("shares no prototype with a later one", { timeout: 60_000 }, async () => {
    const second = await startSecond(version, plant("return 'left';"), { renew: "realm" });

    const { ending } = await executeScript(
      second,
      `globalThis.__codemode_result__ = new Intl.Segmenter().segment("ab").containing(0).index;`,
    );
    expect(ending).toMatchObject({ kind: "result", value: 0 });
  });

  test("sends nothing when a later one has taken its place", { timeout: 60_000 }, async () => {
    const hole = {
      'return "spent";': `{ Promise.resolve().then(() => bridge.send('{"type":"stopTimer","id":1}')); return "spent"; }`,
    };
    const second = await startSecond(version, "globalThis.__codemode_result__ = 1;", { renew: "realm", hole });

    const { ending } = await executeScript(second, "globalThis.__codemode_result__ = 2;");
    expect(ending).toMatchObject({ kind: "result", value: 2 });
  });
});

interface SecondOptions {
  renew?: Renewal;
  hole?: Record<string, string>;
}

/** A process that has run this script, and waits for the next. */
async function startSecond(
  version: NodeMajor,
  firstScript: string,
  { renew = "compartment", hole = HOLE }: SecondOptions = {},
): Promise<SandboxProcess> {
  const idle = makeIdleProcesses({ times: 10, renew }, 1, () => false);
  const first = idle.lease(await startWithHole(version, hole), "one");
  expect(await executeScript(first, firstScript)).toMatchObject({ ending: { kind: "result" } });
  await expect.poll(() => idle.count()).toBe(1);
  const second = idle.take("one");
  if (second === undefined) throw new Error("the process does not serve again");
  return second;
}
