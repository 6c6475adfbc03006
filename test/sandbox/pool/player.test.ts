import fc from "fast-check";
import { expect, test } from "vitest";
import { Player, type HeardBefore, type PlayerOptions } from "../../../runtime/sandbox/pool/player.ts";
import { interpret, play, playedCase } from "./played-run.ts";

const START = { timeMs: 0, seed: [] };

/** A player, and what a sandbox would be sent by it. */
function begin(options: Partial<PlayerOptions> & Pick<PlayerOptions, "after">) {
  const sent: string[] = [];
  const player = new Player({ start: START, ...options });
  player.begin({
    send: (header) => header.type !== "run" && sent.push(`${header.type} ${header.id} at ${header.timeMs}`),
    end: () => {},
  });
  return { player, sent };
}

const setTimer = (player: Player, id: number, delayMs: number, setMs = 0): boolean =>
  player.onFrame({ type: "timer", id, delayMs, setMs });

test("a timer never fires before its time by the script's clock, and the clock never goes back", async () => {
  const heard: HeardBefore[] = [];
  const { player } = begin({ after: "live", keep: (added) => void heard.push(...added) });
  for (let delayMs = 30; delayMs > 0; delayMs -= 1) setTimer(player, delayMs, delayMs);
  // sleeps: until the timers of the script have fired
  await new Promise((resolve) => setTimeout(resolve, 60));
  player.close({ kind: "cancelled" });

  expect(heard).toHaveLength(30);
  for (const event of heard) expect(event.timeMs).toBeGreaterThanOrEqual("timer" in event ? event.timer : 0);
  expect(heard).toEqual(heard.toSorted((left, right) => left.timeMs - right.timeMs));
});

test("no timer fires after the end of a run", async () => {
  const { player, sent } = begin({ after: "live" });
  setTimer(player, 1, 5);
  player.close({ kind: "cancelled" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sent).toEqual([]);
});

test("replies and timers arrive in the recorded order and at the recorded times, however early they could be", () => {
  const history = [
    { timeMs: 5, call: 2 },
    { timeMs: 5, timer: 1 },
    { timeMs: 9, call: 1 },
  ];
  const { player, sent } = begin({ after: "nothing", history });
  setTimer(player, 1, 1);
  player.onReply(1, "{}");
  expect(sent).toEqual([]);
  player.onReply(2, "{}");
  expect(sent).toEqual(["reply 2 at 5", "fire 1 at 5", "reply 1 at 9"]);
});

test("a timer that was stopped after it had fired is reported again", () => {
  const history = [
    { timeMs: 4, call: 1 },
    { timeMs: 7, timer: 1 },
  ];
  const { player, sent } = begin({ after: "nothing", history });
  setTimer(player, 1, 3);
  player.onFrame({ type: "stopTimer", id: 1 });
  player.onReply(1, "{}");
  expect(sent).toEqual(["reply 1 at 4", "fire 1 at 7"]);
});

test("of another script, what cannot come is left out, and timers come by their time when nothing else is left", () => {
  let [mayFire, stoodStill] = [true, 0];
  const history = [
    { timeMs: 4, timer: 9 },
    { timeMs: 6, call: 1 },
  ];
  const options = { mayFire: () => mayFire, onStandstill: () => void (stoodStill += 1) };
  const { player, sent } = begin({ after: "nothing", history, ...options });
  const waitAfter = (handled: number): boolean => player.onFrame({ type: "idle", handled });
  player.onReply(1, "{}");
  setTimer(player, 1, 30);
  setTimer(player, 2, 20);
  setTimer(player, 3, 10);
  player.onFrame({ type: "stopTimer", id: 3 });
  waitAfter(0);
  // An old word of waiting, from before the reply.
  waitAfter(0);
  waitAfter(1);
  mayFire = false;
  waitAfter(2);
  expect([sent, stoodStill]).toEqual([["reply 1 at 6", "fire 2 at 20"], 1]);
  mayFire = true;
  waitAfter(2);
  waitAfter(3);
  expect([sent, stoodStill]).toEqual([["reply 1 at 6", "fire 2 at 20", "fire 1 at 30"], 2]);
});

test("a timer runs from when the script has set it, however far ahead the host is, and not from a time that is still to come", () => {
  const day = 86_400_000;
  const history = [
    { timeMs: 5, call: 1 },
    { timeMs: day, call: 2 },
  ];
  const { player } = begin({ after: "live", history, elapsed: () => day });
  player.onReply(1, "{}");
  player.onReply(2, "{}");
  setTimer(player, 1, 2 * day, 5);
  expect(player.nextTimer()).toBe(day + 5);
  player.onFrame({ type: "stopTimer", id: 1 });
  setTimer(player, 2, 2 * day, Number.MAX_SAFE_INTEGER);
  expect(player.nextTimer()).toBe(2 * day);
  player.close({ kind: "cancelled" });
});

test("what is heard again is the text of before, also where the call is answered otherwise now", () => {
  const bodies: string[] = [];
  const replyJson = '{"ok":true,"value":-0}';
  const player = new Player({ start: START, after: "live", history: [{ timeMs: 1, call: 1, replyJson }] });
  player.begin({ send: (_header, body) => void bodies.push(body), end: () => {} });
  player.onReply(1, '{"ok":true,"value":0}');
  expect(bodies).toEqual([replyJson]);
});

test("a script hears what is being kept, at no earlier time than before, a timer at its own; it rests when all is kept", async () => {
  const kept: number[] = [];
  const done: (() => void)[] = [];
  const keep = (heard: readonly HeardBefore[]): Promise<void> => {
    kept.push(...heard.map(({ timeMs }) => timeMs));
    return new Promise((resolve) => done.push(resolve));
  };
  // A clock of little resolution.
  const { player, sent } = begin({ after: "live", elapsed: () => 1, keep });
  player.onReply(1, "{}");
  setTimer(player, 1, 5);
  await expect.poll(() => sent).toEqual(["reply 1 at 1", "fire 1 at 6"]);
  player.onReply(2, "{}");
  expect([sent, kept]).toEqual([
    ["reply 1 at 1", "fire 1 at 6", "reply 2 at 6"],
    [1, 6, 6],
  ]);
  player.onFrame({ type: "idle", handled: 3 });
  expect(player.isIdle()).toBe(false);
  for (const resolve of done) resolve();
  await expect.poll(() => player.isIdle()).toBe(true);
});

test("a script waits when it has said so, until it hears something", () => {
  const { player } = begin({ after: "live" });
  expect(player.isIdle()).toBe(false);
  player.onFrame({ type: "idle", handled: 0 });
  expect(player.isIdle()).toBe(true);
  player.onReply(1, "{}");
  expect(player.isIdle()).toBe(false);
  player.onFrame({ type: "idle", handled: 0 });
  expect(player.isIdle()).toBe(false);
  player.onFrame({ type: "idle", handled: 1 });
  expect(player.isIdle()).toBe(true);
});

test("a sandbox that sets a timer which no script can set is ended", () => {
  const { player } = begin({ after: "live" });
  expect(setTimer(player, 1, 0x7fff_ffff)).toBe(true);
  expect(setTimer(player, 2, Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(setTimer(player, 1, 5)).toBe(false);
  player.close({ kind: "cancelled" });
});

test("any history in any mode gives what comes of it one thing after the other", async () => {
  const property = fc.asyncProperty(playedCase, async (played) => {
    expect(await play(played)).toEqual(interpret(played));
  });
  await fc.assert(property, { numRuns: 300 });
});
