import { clock } from "../../engine/clock.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { endOf } from "../../schemas/run/fold-run.ts";
import { type DurableStore, type OwnedRun, RunTaken } from "./kept-runs.ts";
import { orRelease } from "./run-store.ts";
import type { AttemptEnd } from "./steps.ts";
import { whyLost } from "./take-over.ts";

/**
 * Ends a run that was claimed where it has come to its end, or was cancelled, while no process had it or its process was being ended: nothing of it
 * may go on. Gives its answer; undefined where it goes on.
 */
export async function settle(owned: OwnedRun): Promise<RunAnswer | undefined> {
  const end = endOf(owned.steps);
  if (end !== undefined) {
    await owned.release("over");
    return end.answer;
  }
  const why = owned.isCancelled() ? CANCELLED : whyLost(owned);
  if (why === undefined) return undefined;
  const answer = failedAnswer([why]);
  await orRelease(owned, () => owned.append([{ kind: "ended", at: clock.wall(), answer, ending: "cancelled" }], true));
  await owned.release("over");
  return answer;
}

/** Settles a run that no process has, and lets others have one that goes on. */
export async function settleFree(store: DurableStore, id: string): Promise<void> {
  const owned = await store.claim(id);
  if (owned === undefined || owned === "held") return;
  if ((await settle(owned)) === undefined) await owned.release();
}

/** Removes a run that has ended; false where another process has gone on with it meanwhile. */
export async function removeEnded(store: DurableStore, id: string): Promise<boolean> {
  if (await store.removeOver(id)) return true;
  // Its process was killed before it could say to the others that it is over.
  await settleFree(store, id);
  return store.removeOver(id);
}

const CANCELLED: Diagnostic = {
  severity: "error",
  code: "RUN_CANCELLED",
  message: "The run was cancelled",
  hint: "Do not start it again unasked.",
};

/**
 * Keeps how a run has ended, or gives it back as it is. Of one that has not entered its store nothing is left.
 * @throws CodemodeError `STORE_UNREACHABLE` where it could not enter with what must not be lost
 */
export async function finish(
  owned: OwnedRun,
  end: Exclude<AttemptEnd, { kind: "suspended" }>,
  { isLeft, isCancelled }: { isLeft: boolean; isCancelled: boolean },
): Promise<RunAnswer> {
  if (!(await owned.closeEntry())) {
    if (end.kind === "taken") throw end.why;
    return end.answer;
  }
  if (end.kind === "taken") return giveUp(owned, end.why);
  const { answer } = end;
  if (isLeft && !isCancelled && wasCancelled(answer)) {
    await owned.release();
    return failedAnswer([LEFT]);
  }
  const isOver = end.kind === "ended" || isCancelled;
  const ending = end.kind === "ended" ? end.ending : "cancelled";
  const last: Step = isOver ? { kind: "ended", at: clock.wall(), answer, ending } : { kind: "blocked", answer };
  try {
    await owned.append([last], true);
  } catch (error) {
    return giveUp(owned, error);
  }
  await owned.release(isOver ? "over" : "blocked");
  return answer;
}

/** Leaves a run to others. */
function giveUp(owned: OwnedRun, why: unknown): RunAnswer {
  void owned.release().catch(() => undefined);
  return failedAnswer([describeLoss(why instanceof RunTaken ? undefined : why)]);
}

function wasCancelled({ diagnostics }: RunAnswer): boolean {
  return diagnostics.some(({ code }) => code === "RUN_CANCELLED");
}

export function describeLoss(why: unknown): Diagnostic {
  const cause =
    why instanceof Error
      ? `What the run does cannot be kept now: ${why.message}`
      : "Another process goes on with the run.";
  return {
    severity: "error",
    code: "RUN_CONTINUES",
    message: cause,
    hint: "A process that serves or watches this project goes on with it, or `codemode runs ID --resume`.",
  };
}

/** Of a run that this process does not end. */
export const LEFT: Diagnostic = {
  severity: "error",
  code: "RUN_CONTINUES",
  message: "The run is not over: it is left as it is.",
  hint: "Go on with it by `codemode runs ID --resume`.",
};
