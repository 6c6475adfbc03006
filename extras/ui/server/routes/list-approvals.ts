import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { readApprovalKey } from "../../../../engine/approval-secret.ts";
import {
  approveConsent,
  listConsents,
  openConsentFolder,
  refuseConsent,
} from "../../../../serve/approvals/consent-files.ts";
import type { ApprovalRow } from "../../messages/ui-messages.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** The approvals that runs of `codemode serve` wait for in this project. */
export async function listApprovals({ config }: UiProject): Promise<ApprovalRow[]> {
  const waiting = await listConsents(await openConsentFolder());
  return waiting
    .filter(({ project }) => project === config.folder)
    .map(({ id, client, tools, whole }) => ({
      id,
      tools: [...(whole ?? tools)],
      isCall: whole !== undefined,
      ...withoutUndefined({ client }),
    }));
}

/** Answers one of them: the passphrase of this account allows it, and without one it is refused. */
export async function answerApproval(
  { config }: UiProject,
  id: string,
  passphrase: string | undefined,
): Promise<object> {
  const folder = await openConsentFolder();
  const all = await listConsents(folder);
  const consent = all.find((each) => each.id === id && each.project === config.folder);
  const key = passphrase === undefined ? undefined : await readApprovalKey();
  if (passphrase !== undefined && key === undefined) {
    throw new RouteProblem(409, "No passphrase is set: run `codemode approvals --setup` in a terminal of your own.");
  }
  const outcome =
    consent === undefined
      ? "gone"
      : passphrase === undefined || key === undefined
        ? await refuseConsent(folder, consent, "", "page")
        : await approveConsent(folder, consent, passphrase, key, "page");
  if (outcome === "gone") throw new RouteProblem(404, "No run waits for this answer any more.");
  if (outcome === "wrong") throw new RouteProblem(403, "The passphrase is wrong.");
  return {};
}
