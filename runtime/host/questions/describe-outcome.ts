import type { QuestionOutcome } from "../../../schemas/run/question.ts";

/** Why a question was not answered, as the hint of the error that the script gets. */
export function describeOutcome(
  outcome: Exclude<QuestionOutcome, "accepted">,
  serverId: string,
  problem: string | undefined,
): string {
  const asked = `"${serverId}" asked a person something in this call`;
  switch (outcome) {
    case "declined":
      return `${asked}, who declined. Do not call it again for the same.`;
    case "closed":
      return `${asked}, who gave no answer. Ask the user before you call it again.`;
    case "unavailable":
      return `${asked}, and there was no one to ask. Tell the user, or do without it.`;
    case "reserved":
      return `${asked}, and the operator lets no person answer through this client. Tell the user, or do without it.`;
    case "limit":
      return `${asked}, more often than a run allows. Call it in a run of its own.`;
    case "late":
      return `${asked}, and the call had ended. Run it again.`;
    case "malformed":
      return `${asked}, which was declined: ${problem ?? "it cannot be shown"}.`;
    case "unfit":
      return `${asked}, and the answer did not fit the form. Run it again.`;
  }
}
