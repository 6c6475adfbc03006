import { CodemodeError } from "../../../../schemas/codemode-error.ts";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { choicesOf, readDecision } from "../../../../schemas/run/call-question.ts";
import type { OpenQuestion } from "../../../../schemas/run/durable-run.ts";
import { makeQuestions } from "../../../../serve/approvals/questions.ts";
import type { ApprovalRow } from "../../messages/ui-messages.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** The questions to people that runs in this project wait for. */
export async function listApprovals(project: UiProject): Promise<ApprovalRow[]> {
  return (await (await questionsOf(project)).list()).map((question) => toRow(question));
}

function toRow({ id, digest, kind, client, lines: short, whole = short }: OpenQuestion): ApprovalRow {
  const lines = kind === "script" ? [...short] : [...whole];
  return {
    id,
    digest,
    kind,
    lines,
    script: whole.slice(lines.length),
    choices: choicesOf(kind),
    ...withoutUndefined({ client }),
  };
}

/** Answers one of them, with the fields of a form: the passphrase of this account signs what is not refused. */
export async function answerApproval(
  project: UiProject,
  { id, digest }: Pick<ApprovalRow, "id" | "digest">,
  content: JsonObject,
  passphrase: string,
): Promise<object> {
  const decision = readDecision(content, {});
  if (decision === "whole") throw new RouteProblem(400, "The page shows the arguments whole.");
  if ("problem" in decision) throw new RouteProblem(400, decision.problem);
  if (decision.verdict !== "refused" && passphrase === "")
    throw new RouteProblem(403, "Give your passphrase for approvals.");
  const proof = { digest, passphrase: async () => passphrase, way: "page" as const };
  const outcome = await (await questionsOf(project)).answer(id, decision, proof).catch(unlessUnset);
  if (typeof outcome === "object") throw new RouteProblem(400, `${outcome.problem}.`);
  if (outcome !== "given") throw PROBLEMS[outcome]();
  return {};
}

const PROBLEMS = {
  gone: () => new RouteProblem(404, "No run waits for this answer any more."),
  answered: () => new RouteProblem(409, "It has another answer already."),
  wrong: () => new RouteProblem(403, "The passphrase is wrong."),
  stale: () => new RouteProblem(409, "Another question is asked now: read it, and answer again."),
};

function unlessUnset(error: unknown): never {
  if (!(error instanceof CodemodeError) || error.code !== "APPROVALS_NOT_SET_UP") throw error;
  throw new RouteProblem(409, "No passphrase is set: run `codemode approvals --setup` in a terminal of your own.");
}

async function questionsOf({ config, account }: UiProject) {
  return makeQuestions(await account.get(), config.folder);
}
