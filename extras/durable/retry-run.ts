import { clock } from "../../engine/clock.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import { errorsOf } from "../../schemas/run/answer.ts";
import { type FoldedRun, foldRun, mayBeUndone } from "../../schemas/run/fold-run.ts";
import type { OwnedRun } from "./kept-runs.ts";

/** Whether a run has failed by itself: what a person has cancelled, or taken back, does not go on. */
export function mayRetry({ end, calls }: FoldedRun): boolean {
  const errors = errorsOf(end?.answer.diagnostics ?? []);
  const isTakenBack = [...calls.values()].some(mayBeUndone);
  return errors.length > 0 && errors.every(({ code }) => code !== "RUN_CANCELLED") && !isTakenBack;
}

/**
 * Lets a run that was claimed go on from before its failed end. Errors that the script has heard since it made its last call count for nothing, because
 * no other call has come of them: those calls are made again, and are asked about again.
 */
export async function forgetFailure(owned: OwnedRun): Promise<void> {
  const folded = foldRun(owned.steps);
  if (!mayRetry(folded)) return;
  const failed = folded.heard
    .slice(folded.heardBefore)
    .flatMap((step) => (step.kind === "reply" && !(JSON.parse(step.replyJson) as ToolReply).ok ? [step.call] : []));
  await owned.append([{ kind: "retried", at: clock.wall(), calls: failed }], true);
}
