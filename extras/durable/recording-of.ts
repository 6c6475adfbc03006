import { failedAnswer } from "../../schemas/run/answer.ts";
import { endOf } from "../../schemas/run/fold-run.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { StoredRun } from "./kept-runs.ts";
import { toRecordedSteps } from "../../schemas/run/recorded-steps.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { LEFT } from "./settle-run.ts";

/** A run as a recording; of one that has not ended, as far as it has come. */
export function recordingOf({ run, steps }: StoredRun): Recording {
  const { madeBy, script, start, input, key, limits, locked } = run;
  const { bundle } = parsePinnedBundle(run.pinned, script);
  const end = endOf(steps);
  return {
    ...{ madeBy, script, redact: [], servers: locked, start, input, key, limits, bundle },
    ...toRecordedSteps(steps),
    answer: end?.answer ?? failedAnswer([LEFT]),
    ending: end === undefined ? "cancelled" : end.ending,
  };
}
