import { expect, test } from "vitest";
import type { DurableRuns } from "../../engine/extras.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import { makeDurableLongRuns } from "../../serve/long-runs/durable-long-runs.ts";
import { aRequest, makeRuns } from "./make-runs.ts";

const WAITING: RunOverview = {
  ...{ id: "run", key: "key", script: "script.ts", begunAt: 0, state: "waiting", calls: 1 },
  questions: [['- "files/write"']],
};

/** The runs of a client, of which another process has begun one; `find` says how that stands. */
function makeRunsOf(find: () => RunOverview, detachAfterMs: number) {
  const durable = Promise.resolve({ find: async () => find() } as unknown as DurableRuns);
  return makeDurableLongRuns(makeRuns().runs, durable, { client: undefined, detachAfterMs });
}

test("a request waits for the person whom a run of another process asks, and not for a run that is blocked", async () => {
  let looks = 0;
  const ended: RunOverview = { ...WAITING, state: "ended", questions: [], answer: failedAnswer([]), endedAt: 1 };
  const runs = makeRunsOf(() => ((looks += 1) > 2 ? ended : WAITING), 60_000);
  expect(await runs.wait("run", aRequest())).toMatchObject({ kind: "ended" });
  const blocked = makeRunsOf(() => ({ ...WAITING, state: "blocked" }), 60_000);
  expect(await blocked.wait("run", aRequest())).toMatchObject({ kind: "continues" });
});

test("a look that fails says nothing of a run: the request waits on, or learns that the run may go on", async () => {
  const away = (): never => {
    throw storeUnreachable("postgres://db/runs", new Error("terminating connection"));
  };
  let looks = 0;
  const ended: RunOverview = { ...WAITING, state: "ended", questions: [], answer: failedAnswer([]), endedAt: 1 };
  const back = makeRunsOf(() => ((looks += 1) > 1 ? ended : away()), 60_000);
  expect(await back.wait("run", aRequest())).toMatchObject({ kind: "ended" });
  const news = await makeRunsOf(away, 1).wait("run", aRequest());
  expect(news).toMatchObject({ kind: "continues", findings: [{ code: "RUN_CONTINUES" }] });
  await expect(makeRunsOf(away, 1).cancel("run", aRequest())).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  const gone = makeRunsOf(() => {
    throw durableRunUnknown("run");
  }, 1);
  expect(await gone.wait("run", aRequest())).toEqual({ kind: "lost" });
  // What is a mistake of ours is seen.
  const broken = makeRunsOf(() => {
    throw new TypeError("a mistake");
  }, 1);
  await expect(broken.wait("run", aRequest())).rejects.toThrow("a mistake");
});

test("what the agent reads of such a run names no command", async () => {
  const news = await makeRunsOf(() => WAITING, 1).wait("run", aRequest());
  expect(news).toMatchObject({ kind: "continues", findings: [{ message: "The run waits for a person." }] });
  expect(JSON.stringify(news)).not.toContain("codemode");
});
