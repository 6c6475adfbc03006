import { expect, test } from "vitest";
import type { HostHeader } from "../../../schemas/run/protocol.ts";
import { makeRecorder } from "../../../extras/record/recorder.ts";
import { makeReplayedEvents } from "../../../extras/record/replayer.ts";

test("a timer never fires before its time by the script's clock, and the clock never goes back", async () => {
  const { timekeeper, events } = makeRecorder();
  timekeeper.begin({ send: () => {}, end: () => {} });
  const delays = Array.from({ length: 30 }, (_, at) => 30 - at);
  for (const delayMs of delays) timekeeper.onFrame({ type: "timer", id: delayMs, delayMs });
  await new Promise((resolve) => setTimeout(resolve, 60));
  timekeeper.close({ kind: "cancelled" });

  expect(events).toHaveLength(30);
  for (const event of events) expect(event.timeMs).toBeGreaterThanOrEqual("timer" in event ? event.timer : 0);
  expect(events).toEqual(events.toSorted((left, right) => left.timeMs - right.timeMs));
});

test("no timer fires after the end of a run", async () => {
  const { timekeeper, events } = makeRecorder();
  timekeeper.begin({ send: () => {}, end: () => {} });
  timekeeper.onFrame({ type: "timer", id: 1, delayMs: 5 });
  timekeeper.close({ kind: "cancelled" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events).toEqual([]);
});

/** What a sandbox would be sent. */
function hear(...recorded: Parameters<typeof makeReplayedEvents>[0]) {
  const sent: string[] = [];
  const send = (header: HostHeader): void => {
    if (header.type !== "run") sent.push(`${header.type} ${header.id} at ${header.timeMs}`);
  };
  return { sent, events: makeReplayedEvents(recorded, send) };
}

test("replies and timers arrive in the recorded order and at the recorded times, however early they could be", () => {
  const { sent, events } = hear({ timeMs: 5, call: 2 }, { timeMs: 5, timer: 1 }, { timeMs: 9, call: 1 });
  events.addTimer(1, 1);
  events.addReply(1, "{}");
  expect(sent).toEqual([]);
  events.addReply(2, "{}");
  expect(sent).toEqual(["reply 2 at 5", "fire 1 at 5", "reply 1 at 9"]);
});

test("a timer that was stopped after it had fired is reported again", () => {
  const { sent, events } = hear({ timeMs: 4, call: 1 }, { timeMs: 7, timer: 1 });
  events.addTimer(1, 3);
  events.stopTimer(1);
  events.addReply(1, "{}");
  expect(sent).toEqual(["reply 1 at 4", "fire 1 at 7"]);
});

test("of another script, what cannot come is left out, and timers come by their time when nothing else is left", () => {
  const { sent, events } = hear({ timeMs: 4, timer: 9 }, { timeMs: 6, call: 1 });
  events.addReply(1, "{}");
  events.addTimer(1, 30);
  events.addTimer(2, 20);
  events.addTimer(3, 10);
  events.stopTimer(3);
  expect(events.goOn(0, true)).toBe(true);
  expect(events.goOn(0, true)).toBe(true); // An old word of waiting, from before the reply.
  expect(events.goOn(1, true)).toBe(true);
  expect(events.goOn(2, false)).toBe(false);
  expect(events.goOn(2, true)).toBe(true);
  expect(events.goOn(3, true)).toBe(false);
  expect(sent).toEqual(["reply 1 at 6", "fire 2 at 20", "fire 1 at 30"]);
});

test("a sandbox that sets a timer which no script can set is ended", () => {
  const { timekeeper } = makeRecorder();
  timekeeper.begin({ send: () => {}, end: () => {} });
  expect(timekeeper.onFrame({ type: "timer", id: 1, delayMs: 0x7fff_ffff })).toBe(true);
  expect(timekeeper.onFrame({ type: "timer", id: 2, delayMs: Number.MAX_SAFE_INTEGER })).toBe(false);
  timekeeper.close({ kind: "cancelled" });
});
