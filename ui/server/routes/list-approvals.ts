import { answerConsent, listConsents, openConsentFolder } from "../../../serve/approvals/consent-files.ts";
import type { ApprovalRow } from "../../../schemas/ui-messages.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** The consents that runs of `codemode serve` wait for in this project. */
export async function listApprovals({ config }: UiProject): Promise<ApprovalRow[]> {
  const waiting = await listConsents(await openConsentFolder());
  return waiting
    .filter(({ project }) => project === config.folder)
    .map(({ id, client, tools }) => ({ id, tools: [...tools], ...(client !== undefined && { client }) }));
}

/** Answers one of them. */
export async function answerApproval({ config }: UiProject, id: string, isAllowed: boolean): Promise<object> {
  const answer = isAllowed ? "approve" : "refuse";
  if (!(await answerConsent(await openConsentFolder(), id, answer, config.folder))) {
    throw new RouteProblem(404, "No run waits for this answer any more.");
  }
  return {};
}
