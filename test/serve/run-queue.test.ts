import { expect, test } from "vitest";
import { makeRunQueue, type Turn } from "../../serve/admission/run-queue.ts";

const never = new AbortController().signal;

/** Lets promises that are settled run their course. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function leave(turn: Turn | undefined): void {
  if (turn?.kind !== "running") throw new Error(`it is ${turn?.kind}`);
  turn.leave();
}

/** A queue in which everybody who enters is on record. */
function openQueue(maxRunning: number, maxWaiting: number) {
  const queue = makeRunQueue({ maxRunning, maxWaiting }, () => 0);
  const turns = new Map<string, Turn>();
  const order: string[] = [];
  const enter = (name: string, signal = never): void => {
    const client = name.slice(0, 1);
    const record = async (): Promise<void> => {
      const turn = await queue.enter(client, signal);
      turns.set(name, turn);
      if (turn.kind === "running") order.push(name);
    };
    void record();
  };
  return { turns, order, enter };
}

test("as many run as may, and the next one when somebody leaves", async () => {
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
  expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("beyond the queue a run is refused, and told when to try again", async () => {
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
  leave(turns.get("a2"));
  await settled();
  expect(order).toEqual(["a1", "a2", "b1"]);
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

async function turnOf(turns: Map<string, Turn>, name: string): Promise<Turn | undefined> {
  await settled();
  return turns.get(name);
}

function makeAbort(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
