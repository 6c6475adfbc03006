import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseRunReference } from "../../serve/surfaces/parse-script-request.ts";
import type { ToolCallResult } from "../../serve/surface.ts";
import { DETACH_MS, makeRuns, aRequest, answerOf, aRun, detached } from "./make-runs.ts";

test("a request that goes cancels its run, and not one with a key, whose caller may ask again", async () => {
  for (const [keyedId, expected] of [
    [undefined, "cancelled"],
    ["k".repeat(22), "done"],
  ] as const) {
    const { runs } = makeRuns({ detachAfterMs: 10_000 });
    const [run, leaving] = [aRun(), new AbortController()];
    const request = { ...aRequest("one", leaving.signal), ...(keyedId !== undefined && { keyedId }) };
    const begun = runs.begin(run.work, request);
    leaving.abort();
    if (keyedId !== undefined) {
      // Its request is answered at once, for a client that is gone.
      expect(await begun).toMatchObject({ kind: "continues", id: keyedId, logs: [] });
      run.end("done");
      expect(await runs.wait(keyedId, aRequest())).toEqual({ kind: "ended", result: answerOf(expected) });
    } else {
      expect(await begun).toEqual({ kind: "ended", result: answerOf(expected) });
    }
  }
});

test("a request for a run with a key that is gone before the run begins is answered at once", async () => {
  const { runs } = makeRuns({ detachAfterMs: 10_000 });
  const run = aRun();
  const keyedId = "k".repeat(22);
  const begun = await runs.begin(run.work, { ...aRequest("one", AbortSignal.abort()), keyedId });
  expect(begun).toEqual({ kind: "continues", id: keyedId, logs: [], findings: [] });
  run.end("done");
  expect(await runs.wait(keyedId, aRequest())).toEqual({ kind: "ended", result: answerOf("done") });
});

test("a failure that no request was informed of is kept for a time, as an answer is", async () => {
  const { runs } = makeRuns({ keptMs: 30 });
  const begun = await runs.begin(async () => {
    await delay(2 * DETACH_MS);
    throw new Error("broken");
  }, aRequest());
  const { id } = begun as { id: string };
  await expect.poll(() => runs.look(id, "one")).toBeUndefined();
});

test("the request of a run that is cancelled with it waits until the run has ended", async () => {
  const { runs } = makeRuns();
  const leaving = new AbortController();
  let end!: () => void;
  const ended = new Promise<ToolCallResult>((resolve) => (end = () => resolve(answerOf("cleaned up"))));
  let news: unknown;
  const begun = runs.begin(() => ended, aRequest("one", leaving.signal)).then((came) => (news = came));
  leaving.abort();
  await delay(3 * DETACH_MS);
  expect(news).toBeUndefined();
  end();
  await begun;
  expect(news).toEqual({ kind: "ended", result: answerOf("cleaned up") });
});

test("a run that has ended is not cancelled by a request that comes too late", async () => {
  const { runs } = makeRuns();
  const { id, end } = await detached(runs);
  expect(await runs.look(id, "one")).toMatchObject({ isCancelled: false });
  end("done");
  await delay(10);
  await runs.end(id);
  expect(await runs.look(id, "one")).toMatchObject({ isCancelled: false, ended: { result: answerOf("done") } });
  const other = await detached(runs);
  await runs.end(other.id);
  expect(await runs.look(other.id, "one")).toMatchObject({ isCancelled: true });
});

test("so many bytes of answers are kept, and the oldest goes first", async () => {
  const { runs } = makeRuns();
  const all = await Promise.all(Array.from({ length: 3 }, () => detached(runs)));
  for (const { end } of all) end("x".repeat(7 * 1024 * 1024));
  await delay(10);
  const news = await Promise.all(all.map(({ id }) => runs.wait(id, aRequest())));
  expect(news.map(({ kind }) => kind)).toEqual(["lost", "ended", "ended"]);
});

test("an id of a run stands alone: beside a script, by its text or its name, it is refused", () => {
  const runId = "r".repeat(22);
  for (const program of ["code", "script"]) {
    expect(parseRunReference({ runId, [program]: "x" })).toMatchObject({ problem: expect.stringContaining("both") });
    for (const empty of ["", null])
      expect(parseRunReference({ runId, [program]: empty })).toEqual({ runId, cancel: false });
  }
});
