import fc from "fast-check";
import { expect, test } from "vitest";
import { countCases } from "../../sets/count-cases.ts";
import { heardOf, interpret, play, playedCase } from "./played-run.ts";

const HISTORIES = countCases(10_000, 1_000);
const SEED = Number(process.env["PLAYER_SEED"] ?? Date.now());

test(`${HISTORIES} histories in any mode give what comes of them one thing after the other (PLAYER_SEED=${SEED})`, async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(playedCase, async (played) => {
      const came = await play(played);
      expect(came).toEqual(interpret(played));
      const end = `${played.after} ${came.end.replace(/ before.*/, "")}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      // A replay of all that a script has heard is the same again, and so is a run that goes on from there.
      const history = heardOf(played.program, played.latencies);
      const again = await play({ ...played, history, elapsedMs: (history.at(-1)?.timeMs ?? 0) + played.elapsedMs });
      expect(again.sent.slice(0, history.length)).toEqual(history);
      expect(again.kept).toEqual([]);
    }),
    { numRuns: HISTORIES, seed: SEED },
  );
  // Each kind of end is well represented.
  expect([...ends.keys()].toSorted()).toEqual(["live stands still", "live waits", "nothing stands still"]);
  for (const count of ends.values()) expect(count).toBeGreaterThan(0.03 * HISTORIES);
}, 300_000);
