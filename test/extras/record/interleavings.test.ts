import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { countCases } from "../../sets/count-cases.ts";
import { CALL, recordScript, replayScript } from "./record-script.ts";

let pool: SandboxPool;
beforeAll(() => {
  pool = makeSandboxPool({ size: 2 });
});
afterAll(() => pool.close());

/** Runs a program that it is given as its input: steps that wait for each other in every way that there is. */
const INTERPRETER = `${CALL}
  const seen = [];
  const see = (what) => { seen.push(what, Date.now()); if (seen.length % 3 === 0) console.log(what, Math.random()); };
  const run = async ([kind, ...rest]) => {
    switch (kind) {
      case "call": see((await call("echo", { ms: rest[0], random: Math.random() })).random); break;
      case "fail": await call("fail", { ms: rest[0] }).catch((error) => see(error.message)); break;
      case "sleep": await sleep(rest[0]); see("slept"); break;
      case "look": see(new Date().toISOString()); break;
      case "leave": void run(rest[0]); break;
      case "stop": { const timer = setTimeout(() => see("fired"), rest[0]); await run(rest[1]); clearTimeout(timer); break; }
      case "row": for (const step of rest) await run(step); break;
      case "all": await Promise.all(rest.map(run)); see("all"); break;
      case "race": await Promise.race(rest.map(run)); see("raced"); break;
    }
  };
  await run(__codemode_input__);
  __codemode_result__ = seen;
`;

const delay = fc.integer({ min: 0, max: 7 });
const { program } = fc.letrec<{ program: JsonValue[] }>((tie) => {
  const steps = fc.array(tie("program"), { minLength: 1, maxLength: 4 });
  const some = (kind: string) => steps.map((list): JsonValue[] => [kind, ...list]);
  return {
    program: fc.oneof(
      { maxDepth: 4, depthIdentifier: "program" },
      delay.map((ms): JsonValue[] => ["call", ms]),
      delay.map((ms): JsonValue[] => ["sleep", ms]),
      delay.map((ms): JsonValue[] => ["fail", ms]),
      fc.constant<JsonValue[]>(["look"]),
      ...["row", "all", "race"].map(some),
      tie("program").map((step): JsonValue[] => ["leave", step]),
      fc.tuple(delay, tie("program")).map(([ms, step]): JsonValue[] => ["stop", ms, step]),
    ),
  };
});

test("a replay repeats every order of timers and replies", async () => {
  await fc.assert(
    fc.asyncProperty(program, program, program, async (one, two, three) => {
      const { answer, recording } = await recordScript(INTERPRETER, {
        pool,
        input: ["all", one, two, ["row", three, one]],
        answerCall: async ({ toolName, input }) => {
          const { ms } = input as { ms: number };
          await new Promise((resolve) => setTimeout(resolve, ms));
          return toolName === "fail"
            ? { ok: false, error: { errorClass: "ToolCallError", message: "failed", hint: "" } }
            : { ok: true, value: input };
        },
      });
      const replay = await replayScript(recording, { pool });
      expect(replay.divergence).toBeUndefined();
      expect(JSON.stringify(replay.answer)).toBe(JSON.stringify(answer));
    }),
    { numRuns: countCases(40, 15) },
  );
}, 60_000);
