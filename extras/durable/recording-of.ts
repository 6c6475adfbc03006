import { DEFAULT_LIMITS, errorsOf, failedAnswer, type RunAnswer, type RunLimits } from "../../schemas/run/answer.ts";
import { endOf } from "../../schemas/run/fold-run.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { toRecordedSteps } from "../../schemas/run/recorded-steps.ts";
import type { RecordedEnding, Recording } from "../../schemas/run/recording.ts";
import { LEFT } from "./settle-run.ts";
import type { StoredRun } from "./steps.ts";

/** A run as a recording; of one that has not ended, as far as it has come. */
export function recordingOf({ run, steps }: StoredRun): Recording {
  const { madeBy, script, start, input, key, limits, locked = {} } = run;
  const { bundle } = parsePinnedBundle(run.pinned, script);
  const end = endOf(steps);
  return {
    ...{ madeBy, script, redact: [], servers: locked, start, input, key, limits, bundle },
    ...toRecordedSteps(steps),
    answer: end?.answer ?? failedAnswer([LEFT]),
    ending: end === undefined ? "cancelled" : (end.ending ?? endingOf(end.answer)),
  };
}

/** Of a run of an earlier version, which has kept its answer alone. */
function endingOf({ diagnostics }: RunAnswer): RecordedEnding {
  const [error] = errorsOf(diagnostics);
  if (error === undefined) return "result";
  if (error.code === "UNCAUGHT_EXCEPTION" || error.code === "UNHANDLED_REJECTION") return "failure";
  const limits = Object.keys(DEFAULT_LIMITS) as (keyof RunLimits)[];
  const limit = error.code === "SANDBOX_LIMIT" ? limits.find((name) => error.message.includes(name)) : undefined;
  return limit ?? "cancelled";
}
