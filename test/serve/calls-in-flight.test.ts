import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));

test("a call is cancelled with its client, for the client's reason", async () => {
  const client = new AbortController();
  const call = makeCallsInFlight().track(client.signal, untilAborted);
  client.abort("gone");
  expect(await call).toBe("gone");
});

test("a call of a client that has gone already is cancelled from the start", async () => {
  const seen = await makeCallsInFlight().track(AbortSignal.abort("gone"), async ({ aborted, reason }) => [
    aborted,
    reason,
  ]);
  expect(seen).toEqual([true, "gone"]);
});

test("calls that come when the process goes down are cancelled from the start", async () => {
  const calls = makeCallsInFlight();
  await calls.stop(1000);
  expect(await calls.track(new AbortController().signal, async ({ aborted }) => aborted)).toBe(true);
});

test("a signal that outlives its calls keeps nothing of them", async () => {
  const calls = makeCallsInFlight();
  const { signal } = new AbortController();
  const heard: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    await calls
      .track(signal, async () => {
        heard.push(getEventListeners(signal, "abort").length);
        if (number % 2 === 1) throw new Error("failed");
      })
      .catch(() => undefined);
  }
  expect(new Set(heard)).toEqual(new Set([1]));
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
