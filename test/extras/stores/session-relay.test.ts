import { beforeEach, expect, test } from "vitest";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeSealer, type Sealer } from "../../../engine/store-plan.ts";
import { makeSessionRelay } from "../../../extras/stores/session-relay.ts";
import { takeClock } from "../../move-clock.ts";

let time: ReturnType<typeof takeClock>;
beforeEach(() => void (time = takeClock({ stands: true })));

const sealer = makeSealer("k".repeat(32));
const ANSWER = { action: "accept" };
/** Between two looks into the store. */
const pass = (looks = 1) => time.move(looks * 400);

/** Replicas of one store; each relay notes what it could not do. */
function startReplicas(changes: Partial<RunStore> = {}) {
  const memory = makeMemoryStore();
  const looks: string[] = [];
  const take: RunStore["take"] = (name) => (looks.push(name), memory.take(name));
  const store: RunStore = { ...memory, take, ...changes };
  const failures: string[] = [];
  const onFailure = (error: unknown): void => void failures.push((error as Error).message);
  const relay = (client = "ada", key: Sealer | null = sealer) =>
    makeSessionRelay({ store, sealer: key ?? undefined, onFailure }, client);
  return { store, relay, failures, looks };
}

/** What comes of one name to one relay. */
function waitAt(relay: ReturnType<typeof makeSessionRelay>, session = "s", name = "one") {
  const taken: unknown[] = [];
  const stop = relay.expect(session, name, (content) => taken.push(content ?? "nothing"));
  return { taken, stop };
}

test("a message reaches the replica that waits for its name, once, and is not looked for any longer", async () => {
  const { relay, looks } = startReplicas();
  const [here, there] = [relay(), relay()];
  const [one, two] = [waitAt(here), waitAt(here, "s", "two")];
  there.send("s", "one", ANSWER);
  there.send("s", "two");
  await pass();
  expect([one.taken, two.taken]).toEqual([[ANSWER], ["nothing"]]);
  await pass();
  const before = looks.length;
  there.send("s", "one", ANSWER);
  // What other files of this process have left may set timers of its own: looks alone are counted.
  await pass(10);
  expect(looks).toHaveLength(before);
  expect(one.taken).toEqual([ANSWER]);
});

test("a message that comes later is taken later", async () => {
  const { relay, failures } = startReplicas();
  const { taken } = waitAt(relay());
  await pass(3);
  expect(taken).toEqual([]);
  relay().send("s", "one", ANSWER);
  await pass();
  expect([taken, failures]).toEqual([[ANSWER], []]);
});

test("a message is for its client, its session and its name alone", async () => {
  const { relay } = startReplicas();
  const { taken } = waitAt(relay("ada"));
  relay("bob").send("s", "one", ANSWER);
  relay("ada").send("another", "one", ANSWER);
  relay("ada").send("s", "another", ANSWER);
  await pass(3);
  expect(taken).toEqual([]);
});

test("content needs the key: it is not sent without one, and not opened with another one", async () => {
  const { relay, failures } = startReplicas();
  const { taken } = waitAt(relay());
  const unkeyed = waitAt(relay("ada", null), "s", "two");
  relay().send("s", "two", ANSWER);
  relay("ada", null).send("s", "one", ANSWER);
  await pass();
  relay("ada", makeSealer("x".repeat(32))).send("s", "one", ANSWER);
  await pass();
  expect(taken).toEqual([]);
  relay("ada", null).send("s", "one");
  await pass();
  expect([taken, unkeyed.taken, failures]).toEqual([["nothing"], [], []]);
});

test("who no longer waits gets nothing, and takes nothing from who waits for the same name since", async () => {
  const { relay, looks } = startReplicas();
  const here = relay();
  const [first, second] = [waitAt(here), waitAt(here)];
  first.stop();
  relay().send("s", "one", ANSWER);
  await pass();
  expect([first.taken, second.taken]).toEqual([[], [ANSWER]]);
  const third = waitAt(here);
  third.stop();
  await pass(2);
  const before = looks.length;
  relay().send("s", "one", ANSWER);
  await pass(2);
  expect(looks).toHaveLength(before);
  expect(third.taken).toEqual([]);
});

test("who stops while the store is asked gets nothing", async () => {
  let answer!: (value: Buffer) => void;
  const { relay } = startReplicas({ take: () => new Promise((resolve) => (answer = resolve)) });
  const { taken, stop } = waitAt(relay());
  await pass();
  stop();
  answer(Buffer.from("-"));
  await pass();
  expect(taken).toEqual([]);
});

test("a store that fails is a failure of the log, and is asked again", async () => {
  let isGone = true;
  const memory = makeMemoryStore();
  const guard = (): void => {
    if (isGone) throw new Error("the store is gone");
  };
  const { relay, failures } = startReplicas({
    ...memory,
    take: async (name) => (guard(), memory.take(name)),
    put: async (...entry) => (guard(), memory.put(...entry)),
  });
  const { taken } = waitAt(relay());
  relay().send("s", "one", ANSWER);
  await pass();
  expect(failures).toEqual(["the store is gone", "the store is gone"]);
  isGone = false;
  relay().send("s", "one", ANSWER);
  await pass(2);
  expect(taken).toEqual([ANSWER]);
});

test("a message is kept for a minute, however long its name is, and a larger one than a mebibyte is not kept", async () => {
  const kept: [name: number, ttlMs: number][] = [];
  const { relay } = startReplicas({ put: async (name, _value, ttlMs) => void kept.push([name.length, ttlMs]) });
  const here = relay();
  here.send("s", "one");
  here.send("s", "x".repeat(10_000), ANSWER);
  here.send("s", "large", { text: "x".repeat(2 ** 20 - 100) });
  here.send("s", "larger", { text: "x".repeat(2 ** 20) });
  const [[length] = [0]] = kept;
  expect(kept).toEqual([1, 2, 3].map(() => [length, 60_000]));
});

test("of a client's messages a thousand are on their way at once, and what is beyond these is dropped", async () => {
  const ends: (() => void)[] = [];
  const { relay } = startReplicas({ put: () => new Promise((resolve) => ends.push(resolve)) });
  const here = relay();
  for (let count = 0; count < 1001; count += 1) here.send("s", `${count}`);
  expect(ends).toHaveLength(1000);
  for (const end of ends) end();
  await pass();
  for (let count = 0; count < 1001; count += 1) here.send("s", `${count}`);
  expect(ends).toHaveLength(2000);
});
