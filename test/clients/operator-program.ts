// Run by operator.ts in the home of a trial: what `codemode approvals` does for the person, with the same functions.
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { setPassphrase } from "../../engine/approval-secret.ts";
import { extra } from "../../extras/durable/index.ts";
import { isBelow } from "../../serve/approvals/client-processes.ts";
import type { OpenQuestion } from "../../schemas/run/durable-run.ts";
import { linesOf, makeQuestions } from "../../serve/approvals/questions.ts";
import type { OperatorOrder, OperatorReport } from "./operator.ts";

const PASSPHRASE = "correct horse battery";
const LOOK_EVERY_MS = 200;

const [, , text = "", file = ""] = process.argv;
const { kind, seconds, answers } = JSON.parse(text) as OperatorOrder;
const durable = await extra.openAccountQuestions(undefined);
const open = makeQuestions(durable);

if (kind === "set-up") await setPassphrase(PASSPHRASE);
else await writeFile(file, JSON.stringify(kind === "await-none" ? await awaitNone() : await answerAll()));
await durable.close();

/** Waits until no process asks any more. */
async function awaitNone(): Promise<OperatorReport> {
  return { questions: (await listWhere((asked) => asked.length === 0)).map(linesOf), left: [] };
}

/** Waits until all calls are listed, and answers each of them. */
async function answerAll(): Promise<OperatorReport> {
  const asked = await listWhere(({ length }) => length === answers.length);
  const questions = asked.map(linesOf);
  const report: OperatorReport = { questions, left: [] };
  if (asked.some(({ clientProcesses = [] }) => isBelow(clientProcesses))) return { ...report, problem: "not personal" };
  for (const { holds, decision } of answers) {
    const question = asked.find((each) => linesOf(each).some((line) => line.includes(holds)));
    if (question === undefined) return { ...report, problem: `nothing shows ${holds}` };
    const proof = { digest: question.digest, passphrase: async () => PASSPHRASE, way: "terminal" as const };
    const outcome = await open.answer(question.id, decision, proof);
    if (outcome !== "given") return { ...report, problem: `the answer to ${holds} is ${JSON.stringify(outcome)}` };
    report.left.push((await open.list()).length);
  }
  return report;
}

/** The questions about calls that wait, as soon as they are so, or after the time. */
async function listWhere(isSo: (asked: readonly OpenQuestion[]) => boolean): Promise<OpenQuestion[]> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const asked = (await open.list()).filter(({ kind }) => kind === "call");
    if (isSo(asked) || Date.now() > until) return asked;
    // sleeps: between two looks at another program
    await sleep(LOOK_EVERY_MS);
  }
}
