import { describe, expect, test } from "vitest";
import { makeRestedProcesses } from "../../runtime/host/sandbox/rested-processes.ts";
import { ALL_NODE_VERSIONS } from "../node-versions/find-node.ts";
import { conductScript, startWithHole } from "./start-with-hole.ts";

/** Leaves the prototype of segments changeable: the only way from one run to the next that was ever found. */
const HOLE = { "hardenSegments((value) => harden(value));": "" };

/** Plants `code` as a method of the shared prototype, with what its run was given. */
const plant = (code: string): string => `
  const given = { call: globalThis.__codemode_call__, log: console.log, setTimeout, clearTimeout, performance, Signal: globalThis.AbortSignal, microtask: globalThis.queueMicrotask };
  const attempt = (action) => { try { return String(action()); } catch (error) { return error.message; } };
  Object.getPrototypeOf(new Intl.Segmenter().segment("a")).containing = function () { ${code} };
  globalThis.__codemode_result__ = 1;`;

const USE = `globalThis.__codemode_result__ = await new Intl.Segmenter().segment("private").containing(0);`;

/** Each must have come to nothing when the second run ends. */
const REMAINS: Readonly<Record<string, { code: string; got: unknown }>> = {
  "a log": { code: `return attempt(() => given.log([...this].length));`, got: OVER() },
  "a tool call": { code: `return given.call("server", "tool", "{}").catch((error) => error.message);`, got: OVER() },
  "a timer": { code: `return attempt(() => given.setTimeout(() => {}, 1));`, got: OVER() },
};

function OVER(): unknown {
  return "The run that this belongs to is over";
}

describe.each(ALL_NODE_VERSIONS)(
  "on Node %s, code of an earlier run that runs in a later one cannot make",
  (version) => {
    test.each(Object.entries(REMAINS))("%s", { timeout: 60_000 }, async (_name, { code, got }) => {
      const rested = makeRestedProcesses(10, 1, () => false);
      const first = rested.lend(await startWithHole(version, HOLE), "one");
      expect(await conductScript(first, plant(code))).toMatchObject({ ending: { kind: "result" } });
      await expect.poll(() => rested.count()).toBe(1);
      const second = rested.take("one");
      if (second === undefined) throw new Error("the process does not serve again");

      expect(await conductScript(second, USE)).toMatchObject({
        ending: { kind: "result", value: got },
        logs: [],
        calls: 0,
      });
    });
  },
);
