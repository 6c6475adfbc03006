import { failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { toRecordedSteps } from "../../schemas/run/recorded-steps.ts";
import type { RecordedEnding, Recording } from "../../schemas/run/recording.ts";
import { LEFT } from "./attend.ts";
import type { StoredRun } from "./steps.ts";

/** A run as a recording; of one that has not ended, as far as it has come. */
export function recordingOf({ run, steps }: StoredRun): Recording {
  const { madeBy, script, start, input, key, limits, locked = {} } = run;
  const { bundle } = parsePinnedBundle(run.pinned, script);
  const { end } = foldRun(steps);
  return {
    ...{ madeBy, script, redact: [], servers: locked, start, input, key, limits, bundle },
    ...toRecordedSteps(steps),
    answer: end?.answer ?? failedAnswer([LEFT]),
    ending: end === undefined ? "cancelled" : (end.ending ?? endingOf(end.answer)),
  };
}

/** Of a run of an earlier version, which has kept its answer alone. */
function endingOf({ diagnostics }: RunAnswer): RecordedEnding {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error === undefined) return "result";
  return error.code === "UNCAUGHT_EXCEPTION" || error.code === "UNHANDLED_REJECTION" ? "failure" : "cancelled";
}
