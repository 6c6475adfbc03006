import { hostname } from "node:os";
import { clock } from "../../engine/clock.ts";
import { type CallDecision, quoteName } from "../../schemas/run/approval.ts";
import { printDecision } from "../../schemas/run/call-question.ts";
import { kindOf, type WaitingConsent } from "../../serve/approvals/consent-files.ts";
import type {
  AnswerElsewhere,
  AnswerHere,
  SharedQuestions,
  TakeAnswer,
} from "../../serve/approvals/shared-questions.ts";
import { keepWritten } from "./keep-written.ts";
import { makeEnvelopes } from "./mail.ts";
import type { Joined } from "./replica.ts";

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

const SHOWN = "asked/";
const ID = /^[0-9a-f]{32}$/;
/** How long an answer that comes again has the same outcome. */
const GIVEN_MS = 20 * 60_000;
/** For answers that are on their way when a question ends. */
const LAST_LOOKS_MS = 1000;

/** @param project the folder of the configuration */
export function makeSharedQuestions(shared: Joined, project: string): SharedQuestions {
  const { store, replica, onFailure } = shared;
  const read = (name: string, value: Buffer, alive: Set<string>): WaitingConsent[] => {
    try {
      const question = JSON.parse(value.toString()) as Shown;
      const isOpen = !question.isAnswered && question.replica !== replica.id && alive.has(question.replica);
      return isOpen ? [toConsent(shared, name, question) ?? toUnread(name, question, project)] : [];
    } catch (error) {
      onFailure(error);
      return [];
    }
  };
  return {
    show: (consent, answer) => showQuestion(shared, consent, answer),
    async list() {
      const [shown, alive] = await Promise.all([store.list(SHOWN), replica.alive()]);
      return [...shown].flatMap(([name, value]) => read(name, value, alive));
    },
    answer: (id, decision) => answerElsewhere(shared, id, decision),
  };
}

/** Shows the others a question of this process, and takes their answers. */
function showQuestion(shared: Joined, consent: WaitingConsent, answer: TakeAnswer): (given?: string) => void {
  const { store, sealer, replica, mail } = shared;
  const { seal } = makeEnvelopes(sealer);
  const name = SHOWN + consent.id;
  const { kind } = consent;
  const until = clock.now() + consent.until - clock.wall();
  const state = (sealed: string | undefined, isAnswered: boolean): Buffer => {
    const shown: Shown = { replica: replica.id, host: hostname(), kind, until: consent.until, isAnswered, sealed };
    return Buffer.from(JSON.stringify(shown));
  };
  let end: { given?: string | undefined } | undefined;
  const write = (): Promise<unknown> => {
    if (end === undefined) return store.add(name, state(seal(name, consent), false), Math.max(1, until - clock.now()));
    const sealed = end.given === undefined ? undefined : seal(name, end.given);
    return sealed === undefined ? store.take(name) : store.put(name, state(sealed, true), GIVEN_MS);
  };
  const kept = keepWritten(shared, write, () => clock.now() < until);
  kept.changed();
  const deafen = mail.listen(name, (message) =>
    message.kind === "answer" ? answer(consent.id, message.decision) : undefined,
  );
  return (given) => {
    end = { given };
    kept.changed();
    clock.after(LAST_LOOKS_MS, deafen, { ref: false });
  };
}

async function answerElsewhere(shared: Joined, id: string, decision: CallDecision): Promise<AnswerElsewhere> {
  const asked = await standOf(shared, id, decision);
  if (typeof asked === "string") return asked;
  const outcome = await shared.mail.ask(asked.replica, SHOWN + id, { kind: "answer", decision });
  if (outcome === "unsealed") return { problem: "The answer is too long for another replica" };
  if (outcome !== "unheard") return outcome as AnswerHere;
  const now = await standOf(shared, id, decision);
  return typeof now === "string" ? now : "unheard";
}

/** A question that another replica has open, or what becomes of an answer to it otherwise. */
async function standOf(
  { store, sealer, replica }: Joined,
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

function toConsent({ sealer }: Joined, name: string, { sealed }: Shown): WaitingConsent | undefined {
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
