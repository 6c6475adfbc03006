import { expect, test } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";

test("calls are cancelled when the process goes down, which waits for their answers", async () => {
  const calls = makeCallsInFlight();
  const cancellation = new AbortController();
  const untilAborted = new Promise((resolve) =>
    cancellation.signal.addEventListener("abort", () => setImmediate(() => resolve("answered"))),
  );
  const seen: unknown[] = [];
  void calls.track(() => untilAborted, cancellation).then((answer) => seen.push(answer));
  await calls.stop(1000);
  expect(seen).toEqual(["answered"]);
});

test("calls that come when the process goes down are cancelled from the start", async () => {
  const calls = makeCallsInFlight();
  await calls.stop(1000);
  const cancellation = new AbortController();
  expect(await calls.track(async () => cancellation.signal.aborted, cancellation)).toBe(true);
});

test("listeners are called after each call, also after one that failed", async () => {
  const calls = makeCallsInFlight();
  let ended = 0;
  calls.onEnded(() => (ended += 1));
  await calls.track(async () => "answered");
  await calls.track(() => Promise.reject(new Error("failed"))).catch(() => undefined);
  expect(ended).toBe(2);
});
