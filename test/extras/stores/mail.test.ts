import { beforeEach, expect, test } from "vitest";
import { makeSealer } from "../../../engine/store-plan.ts";
import { makeMail, type Message } from "../../../extras/stores/mail.ts";
import { makeMemoryStore } from "../../../serve/store/run-store.ts";
import { takeClock } from "../../move-clock.ts";
import { fail, sealer } from "./start-replica.ts";

let time: ReturnType<typeof takeClock>;
beforeEach(() => void (time = takeClock({ stands: true })));

const pass = (ms = 400) => time.move(ms);
const TO = ["one", "run/ada/1"] as const;
const MESSAGES: Message[] = [
  { kind: "cancel" },
  { kind: "reply", number: 2, reply: { action: "decline" } },
  { kind: "answer", decision: { verdict: "granted", by: { way: "operator", name: "operatorToken" } } },
];

/** Mail of replicas of one store, with what reached the name that one of them listens for. */
function startMail(
  outcome?: unknown,
  { here = sealer, there = sealer }: { here?: typeof sealer | null; there?: typeof sealer | null } = {},
) {
  const store = makeMemoryStore();
  const failures: unknown[] = [];
  const mailOf = (id: string, key: typeof sealer | null) =>
    makeMail({ store, sealer: key ?? undefined }, id, (error) => void failures.push(error));
  const [one, other] = [mailOf("one", here), mailOf("other", there)];
  const taken: Message[] = [];
  const deafen = one.listen(TO[1], (message) => {
    taken.push(message);
    return outcome;
  });
  return { store, one, other, taken, deafen, failures };
}

test.each(MESSAGES)("a message reaches who listens for its name, once: %j", async (message) => {
  const { store, other, taken } = startMail();
  await other.send(...TO, message);
  await other.send("one", "run/bob/1", message);
  await other.send("another", TO[1], message);
  await pass();
  await pass();
  expect([taken, [...(await store.list("mail/")).keys()]]).toEqual([
    [message],
    [expect.stringMatching("^mail/another/")],
  ]);
});

test("only a cancellation needs no key, and what another key has sealed is not taken", async () => {
  for (const keys of [{ here: null, there: null }, { there: null }, { there: makeSealer("x".repeat(32)) }]) {
    const { other, taken, failures } = startMail("done", keys);
    for (const message of MESSAGES) await other.send(...TO, message);
    await pass();
    expect([taken, failures]).toEqual([[{ kind: "cancel" }], []]);
    if (keys.there === null) expect(await other.ask(...TO, MESSAGES[2] as Message)).toBe("unsealed");
  }
});

test("who asks gets the outcome; without one in time the message is taken back", async () => {
  const { store, other, deafen } = startMail("given");
  const asking = other.ask(...TO, MESSAGES[2] as Message);
  await pass(500);
  expect(await asking).toBe("given");
  deafen();
  const unheard = other.ask("gone", TO[1], MESSAGES[2] as Message);
  await pass(10_100);
  expect([await unheard, await store.list("")]).toEqual(["unheard", new Map()]);
});

test("what cannot be read is a failure of the log, and keeps no other message back", async () => {
  const { store, other, taken, failures } = startMail();
  await store.put("mail/one/!", Buffer.from("no JSON"), 60_000);
  await other.send(...TO, { kind: "cancel" });
  await pass();
  expect([taken, failures]).toEqual([[{ kind: "cancel" }], [expect.any(SyntaxError)]]);
});

test("nothing is looked for while nothing listens", async () => {
  const store = makeMemoryStore();
  let looks = 0;
  const list = async (prefix: string) => ((looks += 1), store.list(prefix));
  const { listen } = makeMail({ store: { ...store, list }, sealer }, "one", fail);
  await pass(4000);
  expect(looks).toBe(0);
  const deafen = listen(TO[1], () => undefined);
  await pass(4000);
  deafen();
  const before = looks;
  await pass(4000);
  expect([before, looks - before]).toEqual([10, expect.toSatisfy((more: number) => more <= 1)]);
});
