import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { makeRunQueue, type Turn } from "../../serve/admission/admission.ts";

/** Lets promises that are settled run their course. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function leave(turn: Turn | undefined): void {
  if (turn?.kind !== "running") throw new Error(`it is ${turn?.kind}`);
  turn.leave();
}

/** A queue in which everybody who enters is on record, with a clock that moves only where `pass` says so. */
function openQueue(maxRunning: number, maxWaiting: number) {
  let now = 0;
  const queue = makeRunQueue({ maxRunning, maxWaiting }, () => now);
  const turns = new Map<string, Turn>();
  const order: string[] = [];
  const enter = (name: string, signal = new AbortController().signal): void => {
    const client = name.slice(0, 1);
    const record = async (): Promise<void> => {
      const turn = await queue.enter(client, signal);
      turns.set(name, turn);
      if (turn.kind === "running") order.push(name);
    };
    void record();
  };
  return { turns, order, enter, state: queue.state, pass: (ms: number) => (now += ms) };
}

test("as many run as may, and the next one when one leaves", async () => {
  const { turns, order, enter } = openQueue(2, 5);
  for (const name of ["a1", "a2", "a3"]) enter(name);
  await settled();
  expect(order).toEqual(["a1", "a2"]);
  leave(turns.get("a1"));
  await settled();
  expect(order).toEqual(["a1", "a2", "a3"]);
});

test("leaving twice makes no second place", async () => {
  const { turns, order, enter } = openQueue(1, 5);
  for (const name of ["a1", "a2", "a3"]) enter(name);
  await settled();
  leave(turns.get("a1"));
  leave(turns.get("a1"));
  await settled();
  expect(order).toEqual(["a1", "a2"]);
});

test("clients take turns, however many runs each has asked for", async () => {
  const { turns, order, enter } = openQueue(1, 10);
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) enter(name);
  await settled();
  for (let count = 0; count < 6; count += 1) {
    leave(turns.get(order.at(-1) ?? ""));
    await settled();
  }
  expect(order).toEqual(["a1", "b1", "a2", "c1", "b2", "a3", "a4"]);
});

test("beyond the queue a run is refused, with a time to retry", async () => {
  const { turns, enter } = openQueue(1, 1);
  for (const name of ["a1", "a2", "a3"]) enter(name);
  await settled();
  expect(turns.get("a3")).toEqual({ kind: "full", retryAfterSeconds: 2 });
});

test("a client that has filled the queue loses its last place to another one", async () => {
  const { turns, order, enter } = openQueue(1, 3);
  for (const name of ["a1", "a2", "a3", "a4", "b1"]) enter(name);
  await settled();
  expect(turns.get("a4")).toMatchObject({ kind: "full" });
  expect(turns.has("b1")).toBe(false);
  leave(turns.get("a1"));
  await settled();
  leave(turns.get("b1"));
  await settled();
  expect(order).toEqual(["a1", "b1", "a2"]);
});

test("between clients with lines of about the same length the one that comes is refused", async () => {
  const { turns, enter } = openQueue(1, 3);
  for (const name of ["a1", "a2", "a3", "b1", "b2"]) enter(name);
  await settled();
  expect(turns.get("b2")).toMatchObject({ kind: "full" });
});

test("who is cancelled leaves the queue, and gives the place to the next", async () => {
  const { turns, order, enter } = openQueue(1, 1);
  const { signal, abort } = makeAbort();
  enter("a1");
  enter("a2", signal);
  abort();
  await settled();
  expect(turns.get("a2")).toEqual({ kind: "cancelled" });
  enter("a3");
  leave(await turnOf(turns, "a1"));
  await settled();
  expect(order).toEqual(["a1", "a3"]);
});

test("who is cancelled before does not enter", async () => {
  const { turns, order, enter } = openQueue(1, 1);
  enter("a1", AbortSignal.abort());
  enter("a2");
  await settled();
  expect(turns.get("a1")).toEqual({ kind: "cancelled" });
  expect(order).toEqual(["a2"]);
});

test("the longer runs take, the later the time to retry, up to a minute", async () => {
  const { turns, enter, pass } = openQueue(2, 1);
  const refuse = async (name: string): Promise<Turn | undefined> => {
    for (const filling of [`a${name}`, `b${name}`, `c${name}`, name]) enter(filling);
    await settled();
    return turns.get(name);
  };
  const leaveAll = async (name: string, ms: number): Promise<void> => {
    pass(ms);
    for (const running of [`a${name}`, `b${name}`]) leave(turns.get(running));
    await settled();
    leave(turns.get(`c${name}`));
  };
  expect(await refuse("d")).toEqual({ kind: "full", retryAfterSeconds: 1 });
  await leaveAll("d", 11_000);
  // Two runs of 11 s and one of none, each a fifth of the average: 3, 4.6 and 3.68 s, for two that run at once.
  expect(await refuse("e")).toEqual({ kind: "full", retryAfterSeconds: 4 });
  await leaveAll("e", 1_000_000);
  expect(await refuse("f")).toEqual({ kind: "full", retryAfterSeconds: 60 });
});

test("it says how many run and wait", async () => {
  const { turns, enter, state } = openQueue(1, 3);
  const { signal, abort } = makeAbort();
  expect(state()).toEqual({ running: 0, waiting: 0 });
  for (const name of ["a1", "a2", "a3", "b1"]) enter(name);
  await settled();
  expect(state()).toEqual({ running: 1, waiting: 3 });
  // The place of a3.
  enter("c1", signal);
  await settled();
  expect(turns.get("a3")).toMatchObject({ kind: "full" });
  expect(state()).toEqual({ running: 1, waiting: 3 });
  abort();
  expect(state()).toEqual({ running: 1, waiting: 2 });
  for (const name of ["a1", "b1", "a2"]) {
    leave(turns.get(name));
    await settled();
  }
  expect(state()).toEqual({ running: 0, waiting: 0 });
});

test("a run that has its turn is not cancelled by the queue, which no longer listens to its signal", async () => {
  const { turns, order, enter, state } = openQueue(1, 3);
  const { signal, abort } = makeAbort();
  enter("a1");
  enter("a2", signal);
  await settled();
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  leave(turns.get("a1"));
  await settled();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  enter("a3");
  abort();
  await settled();
  expect([order, state()]).toEqual([["a1", "a2"], { running: 1, waiting: 1 }]);
});

test("of several lines the longest loses its last place, and one that was cancelled in the middle is passed over", async () => {
  const { turns, order, enter } = openQueue(1, 5);
  const { signal, abort } = makeAbort();
  for (const name of ["a1", "b1", "b2", "c1"]) enter(name);
  enter("c2", signal);
  enter("c3");
  await settled();
  enter("d1");
  await settled();
  expect(["b2", "c2", "c3"].map((name) => turns.get(name)?.kind)).toEqual([undefined, undefined, "full"]);
  enter("d2");
  await settled();
  expect(turns.get("d2")?.kind).toBe("full");
  abort();
  for (const name of ["a1", "b1", "c1", "d1"]) {
    leave(turns.get(name));
    await settled();
  }
  expect(order).toEqual(["a1", "b1", "c1", "d1", "b2"]);
});

async function turnOf(turns: Map<string, Turn>, name: string): Promise<Turn | undefined> {
  await settled();
  return turns.get(name);
}

function makeAbort(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
