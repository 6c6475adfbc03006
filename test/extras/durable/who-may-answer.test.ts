import { createPrivateKey, createPublicKey, randomBytes, sign as signBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeSealer } from "../../../engine/store-plan.ts";
import {
  type Answering,
  type AskingHere,
  answerQuestion,
  hearAnswers,
  listQuestions,
} from "../../../extras/durable/answers.ts";
import { askOfServer } from "../../../extras/durable/asked-step.ts";
import type { DurableStore, OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { makeMemory, openMemoryStore } from "../../../extras/durable/stores/memory-store.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import type { CallDecision } from "../../../schemas/run/approval.ts";
import type { AnswerProof, StepOf } from "../../../schemas/run/durable-run.ts";
import { foldRun } from "../../../schemas/run/fold-run.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { aRun, create } from "./a-run.ts";

// One table: what is asked × with what it is answered × how it is proven × where × what has become of it. The outcome follows from `expected` alone.

const PRIVATE = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), randomBytes(32)]),
  ...{ format: "der", type: "pkcs8" },
});
const publicKey = createPublicKey(PRIVATE).export({ format: "der", type: "spki" }).toString("base64");
const key = Promise.resolve({ salt: "", publicKey, since: "" });
const sign = async (text: string): Promise<string> => signBytes(null, Buffer.from(text), PRIVATE).toString("base64");

const ASKED: { [about: string]: StepOf<"asked"> } = {
  script: { kind: "asked", about: "script", digest: "s", nonce: "n", lines: ["pay?"], tools: ["ledger/pay"], at: 0 },
  call: { kind: "asked", about: "call", call: 1, digest: "c", nonce: "n", lines: ["pay 1?"], tools: ["ledger/pay"] },
  server: askOfServer({
    ...{ mode: "form", serverId: "ledger", lines: ["Who?"] },
    fields: [{ name: "name", isRequired: true, kind: "text" }],
  }),
};
const DECISIONS: CallDecision[] = [
  { verdict: "granted" },
  { verdict: "granted", forRun: true },
  { verdict: "refused", reason: "no" },
  { verdict: "changed", input: { amount: 2 } },
  { verdict: "answered", result: { name: "Ada" } },
];
/** Which of them answer what. */
const FITS: { [about: string]: (decision: CallDecision) => boolean } = {
  script: ({ verdict, ...more }) => verdict === "refused" || (verdict === "granted" && !("forRun" in more)),
  call: () => true,
  server: ({ verdict }) => verdict === "refused" || verdict === "answered",
};
/** `here`: the process of the run vouches for its own answer. `forged`: a program writes a message into the store by itself. The others come from another process. */
const PROOFS = [
  "here",
  "signed",
  "wrong passphrase",
  "none",
  "forged",
  "form",
  "form of another",
  "form without right",
] as const;
const FORMS: { [proof: string]: AnswerProof["form"] } = {
  form: { client: "ada", mayApprove: true },
  "form of another": { client: "bob", mayApprove: true },
  "form without right": { client: "ada", mayApprove: false },
};
const FATES = [
  "open",
  "same answer before",
  "another answer before",
  "closed",
  "its run is over",
  "its process is gone",
] as const;
const SHOWN = ["this question", "another question"] as const;

interface Cell {
  about: string;
  decision: CallDecision;
  proof: (typeof PROOFS)[number];
  fate: (typeof FATES)[number];
  shown: (typeof SHOWN)[number];
}

const isOpen = (fate: Cell["fate"]): boolean => fate === "open" || fate === "its process is gone";

/** All that decides who may answer. */
function expected({ about, decision, proof, fate, shown }: Cell, isSealed: boolean): unknown {
  if (proof === "forged") {
    const isMeant = shown === "this question" && FITS[about]?.(decision) === true;
    return isOpen(fate) && isMeant && (isSealed || decision.verdict === "refused") ? "given" : "nothing";
  }
  if (proof.startsWith("form ")) return "wrong";
  if (FITS[about]?.(decision) !== true) return "a problem";
  if (fate === "same answer before") return "given";
  if (fate === "another answer before") return "answered";
  if (fate === "closed" || fate === "its run is over") return "gone";
  if (shown === "another question") return "stale";
  if (decision.verdict === "refused" || proof === "here" || proof === "signed") return "given";
  if (proof === "wrong passphrase") return "wrong";
  // Who comes out of a sealed store is the operator's; else only a process that has the run can vouch.
  return isSealed || fate === "its process is gone" ? "given" : "RUN_HELD";
}

const CELLS: Cell[] = Object.keys(ASKED)
  .flatMap((about) =>
    DECISIONS.flatMap((decision) =>
      PROOFS.flatMap((proof) =>
        FATES.flatMap((fate) => SHOWN.map((shown) => ({ about, decision, proof, fate, shown }))),
      ),
    ),
  )
  .filter(({ proof, fate }) => !(proof === "here" && fate === "its process is gone"));

/** What comes of a cell: the outcome, and what the run has of it. */
async function happen(
  cell: Cell,
  open: () => Promise<DurableStore>,
): Promise<{ outcome: unknown; decided?: CallDecision }> {
  const { about, decision, proof, fate, shown } = cell;
  const [store, other] = [await open(), await open()];
  let owned: OwnedRun = await create(store, { ...aRun(), client: "ada" });
  const { id } = owned.run;
  const asked = ASKED[about] as StepOf<"asked">;
  const subject = { number: 1, digest: asked.digest };
  await owned.append([
    { kind: "call", call: 1, serverId: "ledger", toolName: "pay", inputJson: '{"amount":1}', timeMs: 0 },
  ]);
  await owned.append([asked], true);
  const [question] = await listQuestions({ store, here: new Map() }, { ...owned, isOwned: true });
  const before: CallDecision =
    fate === "same answer before" && decision.verdict !== "changed"
      ? decision
      : { verdict: "refused", reason: "before" };
  const wholeBefore = fate === "same answer before" && decision.verdict === "changed" ? decision : before;
  if (fate.endsWith("answer before")) await owned.append([{ kind: "decided", ...subject, decision: wholeBefore }]);
  if (fate === "closed") await owned.append([{ kind: "closed", ...subject }]);
  if (fate === "its run is over")
    await owned.append([{ kind: "ended", at: 0, answer: failedAnswer([]), ending: "cancelled" }]);
  if (fate === "its process is gone") await owned.release();
  const here: AskingHere = {
    owned: () => owned,
    questions: {
      open: () => [asked],
      async decide(_question, given) {
        await owned.append([{ kind: "decided", ...subject, decision: given }]);
        return true;
      },
    },
  };
  const atRun: Answering = { store, key, here: new Map([[id, here]]) };
  const elsewhere: Answering = { store: other, key, here: new Map() };
  const signing = proof === "signed" ? sign : proof === "wrong passphrase" ? async () => undefined : undefined;
  const digest = shown === "this question" ? question?.digest : "of another";
  const answer = () =>
    answerQuestion(proof === "here" ? atRun : elsewhere, `${id}.1`, decision, {
      ...{ sign: signing, form: FORMS[proof], digest },
    });
  const forge = () => other.leave(id, { question: 1, digest: digest ?? "", decision }).then(() => "nothing" as const);
  const outcome = await (proof === "forged" ? forge() : answer()).catch(({ code }: { code: string }) => code);
  if (fate === "its process is gone") {
    const claimed = await store.claim(id);
    if (claimed === undefined || claimed === "held") throw new Error("It was let go of.");
    owned = claimed;
  }
  if (isOpen(fate)) await hearAnswers(atRun);
  const decided = foldRun(owned.steps).questions[0]?.decision;
  await owned.release("over");
  await Promise.all([store.close(), other.close()]);
  const isForged = proof === "forged" && isOpen(fate) && decided !== undefined;
  const shownOutcome = typeof outcome === "object" ? "a problem" : outcome;
  return { outcome: isForged ? "given" : shownOutcome, ...(decided && { decided }) };
}

/** What comes of each cell, beside what has to come of it: what is given, and nothing else, is what the run has. */
async function compare(cells: readonly Cell[], open: () => () => Promise<DurableStore>, isSealed: boolean) {
  const results = await Promise.all(
    cells.map(async (cell) => {
      const { outcome, decided } = await happen(cell, open());
      const wanted = expected(cell, isSealed);
      const verdict = isOpen(cell.fate) && wanted === "given" ? cell.decision.verdict : undefined;
      const found = isOpen(cell.fate) ? decided?.verdict : undefined;
      return [
        { cell, outcome, verdict: found },
        { cell, outcome: wanted, verdict },
      ] as const;
    }),
  );
  return { found: results.map(([found]) => found), wanted: results.map(([, wanted]) => wanted) };
}

test.each([true, false])("in memory, and the store is encrypted: %s", async (isSealed) => {
  const open = () => {
    const memory = makeMemory();
    return async () => ({ ...openMemoryStore(memory), isSealed });
  };
  const { found, wanted } = await compare(CELLS, open, isSealed);
  expect(found).toEqual(wanted);
});

test.each([
  [true, makeSealer("k".repeat(32))],
  [false, undefined],
] as const)("in files, and they are encrypted: %s", async (isSealed, sealer) => {
  const folder = await makeTestFolder();
  const tenth = CELLS.filter((_, at) => at % 10 === (isSealed ? 3 : 7));
  const { found, wanted } = await compare(tenth, () => () => openFileStore(folder, sealer), isSealed);
  expect(found).toEqual(wanted);
});
