import { createPrivateKey, createPublicKey, randomBytes, sign as signBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerQuestion, listQuestions, takeAnswers } from "../../../extras/durable/answers.ts";
import { makeMemory, openMemoryStore } from "../../../extras/durable/stores/memory-store.ts";
import type { OwnedRun } from "../../../extras/durable/kept-runs.ts";
import type { CallDecision } from "../../../schemas/run/approval.ts";
import { foldRun } from "../../../schemas/run/fold-run.ts";
import { countCases } from "../../sets/count-cases.ts";
import { aRun, create } from "./a-run.ts";

const ORDERS = countCases(10_000, 2_000);
const SEED = Number(process.env["MESSAGE_SEED"] ?? Date.now());

/** The key pair of the person at this account, without the second that its passphrase takes. */
const PRIVATE = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), randomBytes(32)]),
  ...{ format: "der", type: "pkcs8" },
});
const publicKey = createPublicKey(PRIVATE).export({ format: "der", type: "spki" }).toString("base64");
const KEY = { salt: "", publicKey, since: "" };
const signature = (text: string): string => signBytes(null, Buffer.from(text), PRIVATE).toString("base64");

/** Call 0 is the script as a whole. */
type Event =
  | { kind: "ask"; call: number }
  /** A person answers: with the passphrase, or a wrong one. */
  | { kind: "answer"; question: number; decision: CallDecision; knows: boolean }
  /** Any program of the account writes a message, perhaps with the last signature that it has seen. */
  | { kind: "forge"; question: number; decision: CallDecision; steals: boolean }
  /** The process that has the run takes what was left, or another one takes over. */
  | { kind: "take"; isKilled: boolean };

const decision = fc.oneof(
  fc.constant<CallDecision>({ verdict: "granted" }),
  fc.constant<CallDecision>({ verdict: "granted", forRun: true }),
  fc.constant<CallDecision>({ verdict: "refused", reason: "no" }),
  fc.record({ verdict: fc.constant("changed" as const), input: fc.record({ amount: fc.nat(3) }) }),
  fc.record({ verdict: fc.constant("answered" as const), result: fc.nat(3) }),
);
const question = fc.integer({ min: 1, max: 4 });
const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("ask" as const), call: fc.nat(3) }),
    fc.record({ kind: fc.constant("answer" as const), question, decision, knows: fc.boolean() }),
    fc.record({ kind: fc.constant("forge" as const), question, decision, steals: fc.boolean() }),
    fc.record({ kind: fc.constant("take" as const), isKilled: fc.boolean() }),
  ),
  { maxLength: 14 },
);

/** What comes of the events in the product: the outcome of each answer, and the decision of each question. */
async function happen(program: readonly Event[], isSealed: boolean) {
  const memory = makeMemory();
  // In a plain folder any program of the account can leave a message, in a sealed store the operator's processes alone.
  const open = () => ({ ...openMemoryStore(memory), isSealed });
  let store = open();
  const key = Promise.resolve(KEY);
  const elsewhere = { store: open(), here: new Map(), key };
  const run = aRun();
  let owned = await create(store, run);
  let stolen: string | undefined;
  const outcomes: unknown[] = [];
  for (const event of program) {
    if (event.kind === "ask") await owned.append([...toCall(event.call), toAsked(event.call)], true);
    else if (event.kind === "answer")
      outcomes.push(
        await answerQuestion(elsewhere, `${run.id}.${event.question}`, event.decision, {
          async sign(text) {
            if (event.knows) stolen = signature(text);
            return event.knows ? stolen : undefined;
          },
        }),
      );
    else if (event.kind === "forge") {
      const { question: number, decision: forged, steals } = event;
      const known = await digestsOf(owned);
      // Where the question is not open any more, the digest of another one.
      const digest = known.get(number) ?? [...known.values()][0] ?? "";
      await store.leave(run.id, {
        question: number,
        digest,
        decision: forged,
        ...(steals ? { signature: stolen } : {}),
      });
      // What was said about another question counts for none.
      for (const [other, of] of known)
        if (other !== number) await store.leave(run.id, { question: number, digest: of, decision: forged });
    } else {
      if (event.isKilled) {
        await store.close();
        store = open();
        const claimed = await store.claim(run.id);
        if (claimed === undefined || claimed === "held") throw new Error("It was let go of.");
        owned = claimed;
      }
      await takeAnswers({ store, here: new Map(), key }, owned);
    }
  }
  await takeAnswers({ store, here: new Map(), key }, owned);
  const decided = foldRun(owned.steps).questions.map((each) => each.decision && withoutWay(each.decision));
  return { outcomes: outcomes.map(plainly), decided };
}

/** Of the open questions, which any program of the account can read, by their numbers. */
async function digestsOf(owned: OwnedRun): Promise<Map<number, string>> {
  const unanswered = { store: openMemoryStore(makeMemory()), here: new Map() };
  const open = await listQuestions(unanswered, { ...owned, isOwned: true });
  return new Map(open.map(({ id, digest }) => [Number(id.split(".")[1]), digest]));
}

function toCall(call: number) {
  return call === 0
    ? []
    : [
        {
          kind: "call" as const,
          call,
          serverId: "ledger",
          toolName: "pay",
          inputJson: '{"amount":9,"to":"bo"}',
          timeMs: 0,
        },
      ];
}

function toAsked(call: number) {
  return {
    kind: "asked" as const,
    ...(call === 0 ? { about: "script" as const, tools: [], at: 0 } : { about: "call" as const, call }),
    digest: `digest of ${call}`,
    nonce: "n",
    lines: [`May call ${call} be made?`],
  };
}

const withoutWay = ({ by: _, ...rest }: CallDecision) => rest;
const plainly = (outcome: unknown) => (typeof outcome === "object" ? "misfit" : outcome);

/** What has to come of them, one after the other: the first answer that is proven, or refuses, is the answer of an open question. */
function interpret(program: readonly Event[], isSealed: boolean) {
  const questions: { call: number; isOpen: boolean; decision?: object }[] = [];
  let left: { question: number; decision: CallDecision; isProven: boolean; isNamed: boolean }[] = [];
  const outcomes: string[] = [];
  let stolen: { question: number; decision: CallDecision } | undefined;
  const isFit = (at: number, { verdict, ...more }: CallDecision): boolean =>
    questions[at - 1]?.call !== 0 || verdict === "refused" || (verdict === "granted" && !("forRun" in more));
  const whole = (at: number, given: CallDecision): CallDecision =>
    given.verdict === "changed" && questions[at - 1]?.call !== 0
      ? { ...given, input: { amount: 9, to: "bo", ...given.input } }
      : given;
  const same = (one: object, other: object) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
  const counting = (number: number) =>
    left.find(
      (message) =>
        message.question === number &&
        message.isNamed &&
        isFit(number, message.decision) &&
        (message.isProven || message.decision.verdict === "refused"),
    );
  const take = (): void => {
    for (const [index, asked] of questions.entries()) {
      const found = asked.isOpen ? counting(index + 1) : undefined;
      if (found !== undefined) Object.assign(asked, { isOpen: false, decision: found.decision });
    }
    left = [];
  };
  for (const event of program) {
    if (event.kind === "take") take();
    else if (event.kind === "ask") {
      // The same question once more takes the place of the one before, which gets no answer any more.
      for (const each of questions) if (each.call === event.call) each.isOpen = false;
      questions.push({ call: event.call, isOpen: true });
    } else if (event.kind === "forge") {
      const isStolen = event.steals && stolen?.question === event.question && same(stolen.decision, event.decision);
      const isProven = event.steals && stolen !== undefined ? isStolen : isSealed;
      // No one knows the digest of a question that is not put yet, also where its number is known.
      const isNamed = questions[event.question - 1]?.isOpen === true;
      left.push({ question: event.question, decision: event.decision, isProven, isNamed });
    } else {
      const asked = questions[event.question - 1];
      const given = whole(event.question, event.decision);
      const before = asked?.decision ?? (asked?.isOpen === true ? counting(event.question)?.decision : undefined);
      const proves = given.verdict !== "refused";
      if (asked === undefined) outcomes.push("gone");
      else if (!isFit(event.question, given)) outcomes.push("misfit");
      else if (before !== undefined) outcomes.push(same(before, given) ? "given" : "answered");
      else if (!asked.isOpen) outcomes.push("gone");
      else if (proves && !event.knows) outcomes.push("wrong");
      else {
        if (proves) stolen = { question: event.question, decision: given };
        left.push({ question: event.question, decision: given, isProven: proves, isNamed: true });
        outcomes.push("given");
      }
    }
  }
  take();
  return { outcomes, decided: questions.map((each) => each.decision) };
}

function sorted(value: object): unknown {
  return Object.entries(value)
    .map(([name, member]) => [name, typeof member === "object" && member !== null ? sorted(member) : member])
    .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
}

test(`${ORDERS} orders of questions, answers and forged messages give what comes of them one after the other (MESSAGE_SEED=${SEED})`, async () => {
  const seen = new Map<unknown, number>();
  await fc.assert(
    fc.asyncProperty(events, fc.boolean(), async (program, isSealed) => {
      const came = await happen(program as Event[], isSealed);
      expect(came).toEqual(interpret(program as Event[], isSealed));
      for (const outcome of came.outcomes) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }),
    { numRuns: ORDERS, seed: SEED },
  );
  expect(new Set(seen.keys())).toEqual(new Set(["answered", "given", "gone", "misfit", "wrong"]));
  for (const count of seen.values()) expect(count).toBeGreaterThan(0.01 * ORDERS);
}, 300_000);
