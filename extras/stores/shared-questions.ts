import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type CallDecision, quoteName } from "../../schemas/run/approval.ts";
import { printDecision } from "../../schemas/run/call-question.ts";
import { kindOf, type WaitingConsent } from "../../serve/approvals/consent-files.ts";
import type {
  AnswerElsewhere,
  AnswerHere,
  SharedQuestions,
  TakeAnswer,
} from "../../serve/approvals/shared-questions.ts";
import type { OpenWork } from "../../serve/http/open-work.ts";
import type { OpenedStore } from "./postgres-store.ts";
import type { Replica } from "./replica.ts";
import { makeEnvelopes, makeLooking } from "./run-records.ts";

// The questions of other replicas. The replica that asks alone decides what an answer becomes: the others send theirs there, and wait for the outcome.

/** What the store has of a question. */
interface Shown {
  replica: string;
  /** Of the replica: what an operator without the key learns. */
  host: string;
  kind: "script" | "call";
  until: number;
  isAnswered: boolean;
  /** The question, as a `WaitingConsent`; then the answer of the operator, as `printDecision` prints it. Absent without a key. */
  sealed: string | undefined;
}

/** An answer on its way to the replica that asks. */
interface Message {
  id: string;
  decision: CallDecision;
}

const SHOWN = "asked/";
const ID = /^[0-9a-f]{32}$/;
/** How long an answer that comes again has the same outcome. */
const GIVEN_MS = 20 * 60_000;
/** For answers that are on their way when the last question ends. */
const LAST_LOOKS_MS = 1000;
const HEARD_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;
const MESSAGE_MS = 30_000;
/** After a write that has failed. */
const AGAIN_MS = 1000;

interface Sharing extends OpenedStore {
  replica: Replica;
  /** What is being written. */
  writes: OpenWork;
}

/** @param project the folder of the configuration */
export function makeSharedQuestions(
  sharing: Sharing,
  project: string,
  onFailure: (error: unknown) => void,
): SharedQuestions {
  const { store, replica } = sharing;
  return {
    show: showQuestions(sharing, onFailure),
    async list() {
      try {
        const [shown, alive] = await Promise.all([store.list(SHOWN), replica.alive()]);
        return [...shown].flatMap(([name, value]) => {
          const question = JSON.parse(value.toString()) as Shown;
          const isOpen = !question.isAnswered && question.replica !== replica.id && alive.has(question.replica);
          return isOpen ? [toConsent(sharing, name, question) ?? toUnread(name, question, project)] : [];
        });
      } catch (error) {
        // A question of this process is answered without the store.
        onFailure(error);
        return [];
      }
    },
    answer: (id, decision) => answerElsewhere(sharing, id, decision),
  };
}

/** Shows the questions of this process, and takes the answers of others while there are any. */
function showQuestions(sharing: Sharing, onFailure: (error: unknown) => void): SharedQuestions["show"] {
  const { store, sealer, replica, writes } = sharing;
  const { seal, open } = makeEnvelopes(sealer);
  let count = 0;
  let hiddenAt = -Infinity;
  let answer: TakeAnswer = () => "gone";

  const hear = async (name: string): Promise<void> => {
    const message = open(name, (await store.take(name))?.toString()) as Message | undefined;
    if (message === undefined) return;
    const outcome = replyTo(name);
    const sealed = seal(outcome, answer(message.id, message.decision));
    if (sealed !== undefined) await store.put(outcome, Buffer.from(sealed), MESSAGE_MS);
  };
  const look = async (): Promise<void> => {
    for (const name of (await store.list(mailOf(replica.id))).keys()) await hear(name);
  };
  const isOpen = (): boolean => count > 0 || performance.now() - hiddenAt < LAST_LOOKS_MS;
  const keepLooking = makeLooking({ look, isOpen, onFailure });

  let writing = Promise.resolve();
  /** Writes one after the other: many at once would keep this process from saying that it is alive. Tries until it succeeds, or it would be over. */
  const write = (work: () => Promise<unknown>, until: number): Promise<void> => {
    const insist = async (): Promise<void> => {
      do {
        try {
          return void (await work());
        } catch (error) {
          onFailure(error);
          await delay(AGAIN_MS, undefined, { ref: false });
        }
      } while (performance.now() < until);
    };
    writing = writing.then(insist);
    return writing;
  };

  return (consent, answerHere) => {
    answer = answerHere;
    count += 1;
    // Without a key no answer can come.
    if (sealer !== undefined) keepLooking();
    const name = SHOWN + consent.id;
    const until = performance.now() + consent.until - Date.now();
    const leftMs = (): number => Math.max(1, until - performance.now());
    const state = (sealed: string | undefined, isAnswered: boolean): Buffer => {
      const { kind, until: endsAt } = consent;
      const stored: Shown = { replica: replica.id, host: hostname(), kind, until: endsAt, isAnswered, sealed };
      return Buffer.from(JSON.stringify(stored));
    };
    let isHidden = false;
    void write(async () => isHidden || store.add(name, state(seal(name, consent), false), leftMs()), until);
    return (given) => {
      isHidden = true;
      count -= 1;
      hiddenAt = performance.now();
      const sealed = given === undefined ? undefined : seal(name, given);
      const hide = (): Promise<unknown> =>
        sealed === undefined ? store.take(name) : store.put(name, state(sealed, true), GIVEN_MS);
      void writes.track(write(hide, until));
    };
  };
}

async function answerElsewhere(sharing: Sharing, id: string, decision: CallDecision): Promise<AnswerElsewhere> {
  const { store, sealer } = sharing;
  const { seal, open } = makeEnvelopes(sealer);
  const asked = await standOf(sharing, id, decision);
  if (typeof asked === "string") return asked;
  const name = `${mailOf(asked.replica)}${randomBytes(16).toString("base64url")}`;
  const sealed = seal(name, { id, decision } satisfies Message);
  if (sealed === undefined) return { problem: "The answer is too long for another replica" };
  await store.put(name, Buffer.from(sealed), MESSAGE_MS);
  const outcome = replyTo(name);
  for (const until = performance.now() + HEARD_WITHIN_MS; performance.now() < until;) {
    const reply = open(outcome, (await store.take(outcome))?.toString()) as AnswerHere | undefined;
    if (reply !== undefined) return reply;
    await delay(LOOK_EVERY_MS);
  }
  await store.take(name);
  const now = await standOf(sharing, id, decision);
  return typeof now === "string" ? now : "unheard";
}

/** A question that another replica has open, or what becomes of an answer to it otherwise. */
async function standOf(
  { store, sealer, replica }: Sharing,
  id: string,
  decision: CallDecision,
): Promise<Shown | Exclude<AnswerElsewhere, object>> {
  if (!ID.test(id)) return "gone";
  const name = SHOWN + id;
  const value = await store.get(name);
  if (value === undefined) return "gone";
  const shown = JSON.parse(value.toString()) as Shown;
  const content = makeEnvelopes(sealer).open(name, shown.sealed);
  if (shown.isAnswered) return content === printDecision(decision) ? "given" : "answered";
  // The desk of this process has been asked.
  if (shown.replica === replica.id || !(await replica.isAlive(shown.replica))) return "gone";
  return content === undefined ? "held" : shown;
}

const mailOf = (replica: string): string => `answer/${replica}/`;
const replyTo = (message: string): string => `outcome/${message}`;

function toConsent({ sealer }: Sharing, name: string, { sealed }: Shown): WaitingConsent | undefined {
  const consent = makeEnvelopes(sealer).open(name, sealed) as WaitingConsent | undefined;
  return consent && { ...consent, kind: kindOf(consent.whole) };
}

/** A question that only the key opens. */
function toUnread(name: string, { host, kind, until }: Shown, project: string): WaitingConsent {
  const lines = [
    `A run on the host ${quoteName(host)} waits: answer through that replica, or set "serve.storeKey" on all to see and answer it here`,
  ];
  return { id: name.slice(SHOWN.length), kind, project, tools: lines, names: [], until };
}
