import type { ToolReply } from "../../schemas/lock/tools.ts";
import { errorsOf } from "../../schemas/run/answer.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import type { OwnedRun } from "./run-store.ts";

/** Whether a run has failed by itself: what a person has cancelled, or taken back, does not go on. */
export function mayRetry(steps: readonly Step[]): boolean {
  const errors = errorsOf(foldRun(steps).end?.answer.diagnostics ?? []);
  const isTakenBack = steps.some(({ kind }) => kind.startsWith("undo"));
  return errors.length > 0 && errors.every(({ code }) => code !== "RUN_CANCELLED") && !isTakenBack;
}

/**
 * Lets a run that was claimed go on from before its failed end. Errors that the script has heard since it made its last call count for nothing, because
 * no other call has come of them: those calls are made again, and are asked about again.
 */
export async function forgetFailure(owned: OwnedRun): Promise<void> {
  const { heard, heardBefore } = foldRun(owned.steps);
  if (!mayRetry(owned.steps)) return;
  const failed = heard
    .slice(heardBefore)
    .flatMap((step) => (step.kind === "reply" && !(JSON.parse(step.replyJson) as ToolReply).ok ? [step.call] : []));
  await owned.append([{ kind: "retried", at: Date.now(), calls: failed }], true);
}
