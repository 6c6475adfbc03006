import type { JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { choicesOf, findMisfit, readDecision } from "../../../../schemas/run/call-question.ts";
import { type ApprovalKey, readApprovalKey } from "../../../../engine/approval-secret.ts";
import {
  type AnswerOutcome,
  decideConsent,
  findConsent,
  listConsents,
  openConsentFolder,
  refuseConsent,
  type WaitingConsent,
} from "../../../../serve/approvals/consent-files.ts";
import type { ApprovalRow } from "../../messages/ui-messages.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** The approvals that runs of `codemode serve` wait for in this project. */
export async function listApprovals({ config }: UiProject): Promise<ApprovalRow[]> {
  const waiting = await listConsents(await openConsentFolder());
  return waiting.filter(({ project }) => project === config.folder).map((consent) => toRow(consent));
}

function toRow({ id, client, tools, whole, script = [] }: WaitingConsent): ApprovalRow {
  const kind = whole === undefined ? "script" : "call";
  const lines = [...(whole ?? tools)];
  return { id, kind, lines, script: [...script], choices: choicesOf(kind), ...withoutUndefined({ client }) };
}

/** Answers one of them, with the fields of a form: the passphrase of this account signs what is not refused. */
export async function answerApproval(
  { config }: UiProject,
  id: string,
  content: JsonObject,
  passphrase: string,
): Promise<object> {
  const folder = await openConsentFolder();
  const consent = await findConsent(folder, id);
  if (consent?.project !== config.folder) throw PROBLEMS.gone();
  const decision = readDecision(content, {});
  if (decision === "whole") throw new RouteProblem(400, "The page shows the arguments whole.");
  if ("problem" in decision) throw new RouteProblem(400, decision.problem);
  const misfit = findMisfit(decision, consent.whole === undefined ? "script" : "call");
  if (misfit !== undefined) throw new RouteProblem(400, `${misfit}.`);
  const outcome =
    decision.verdict === "refused"
      ? await refuseConsent(folder, consent, decision.reason, "page")
      : await decideConsent(folder, consent, decision, passphrase, await readKey(), "page");
  if (outcome !== "given") throw PROBLEMS[outcome]();
  return {};
}

const PROBLEMS: Record<Exclude<AnswerOutcome, "given">, () => RouteProblem> = {
  gone: () => new RouteProblem(404, "No run waits for this answer any more."),
  answered: () => new RouteProblem(409, "It has another answer already."),
  wrong: () => new RouteProblem(403, "The passphrase is wrong."),
};

async function readKey(): Promise<ApprovalKey> {
  const key = await readApprovalKey();
  if (key !== undefined) return key;
  throw new RouteProblem(409, "No passphrase is set: run `codemode approvals --setup` in a terminal of your own.");
}
