// Run by operator.ts in the home of a trial: what `codemode approvals` does for the person, with the same functions.
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { readApprovalKey, setPassphrase } from "../../engine/approval-secret.ts";
import { isBelow } from "../../serve/approvals/client-processes.ts";
import {
  decideConsent,
  listConsents,
  openConsentFolder,
  refuseConsent,
  type WaitingConsent,
} from "../../serve/approvals/consent-files.ts";
import type { OperatorOrder, OperatorReport } from "./operator.ts";

const PASSPHRASE = "correct horse battery";
const LOOK_EVERY_MS = 200;

const [, , text = "", file = ""] = process.argv;
const { kind, seconds, answers } = JSON.parse(text) as OperatorOrder;

if (kind === "set-up") await setPassphrase(PASSPHRASE);
else await writeFile(file, JSON.stringify(kind === "await-none" ? await awaitNone() : await answerAll()));

/** Waits until no process asks any more. */
async function awaitNone(): Promise<OperatorReport> {
  return { questions: (await listWhere((consents) => consents.length === 0)).map(linesOf), left: [] };
}

/** Waits until all calls are listed, and answers each of them. */
async function answerAll(): Promise<OperatorReport> {
  const consents = await listWhere(({ length }) => length === answers.length);
  const questions = consents.map(linesOf);
  const report: OperatorReport = { questions, left: [] };
  if (consents.some(({ clientProcesses = [] }) => isBelow(clientProcesses)))
    return { ...report, problem: "not personal" };
  const key = await readApprovalKey();
  if (key === undefined) return { ...report, problem: "no passphrase" };
  const folder = await openConsentFolder();
  for (const { holds, decision } of answers) {
    const consent = consents.find((each) => linesOf(each).some((line) => line.includes(holds)));
    if (consent === undefined) return { ...report, problem: `nothing shows ${holds}` };
    const outcome =
      decision.verdict === "refused"
        ? await refuseConsent(folder, consent, decision.reason)
        : await decideConsent(folder, consent, decision, PASSPHRASE, key);
    if (outcome !== "given") return { ...report, problem: `the answer to ${holds} is ${outcome}` };
    report.left.push((await listConsents(folder)).length);
  }
  return report;
}

/** The approvals that wait, as soon as they are so, or after the time. */
async function listWhere(isSo: (consents: readonly WaitingConsent[]) => boolean): Promise<WaitingConsent[]> {
  const folder = await openConsentFolder();
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const consents = (await listConsents(folder)).filter(({ whole }) => whole !== undefined);
    if (isSo(consents) || Date.now() > until) return consents;
    await sleep(LOOK_EVERY_MS);
  }
}

function linesOf({ whole, tools }: WaitingConsent): readonly string[] {
  return whole ?? tools;
}
