import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import type { RunRequest } from "../../engine/run/host.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { makeRunBundler } from "./changed-tools.ts";
import type { OwnedRun } from "./kept-runs.ts";
import { unavailable } from "./questions.ts";
import type { makeScriptApproval } from "./script-approval.ts";

/** The request of a further attempt: the script as it was bundled, with the time that is left. */
export function requestOf(
  request: DurableRequest,
  owned: OwnedRun | undefined,
  wrap: ReturnType<typeof makeScriptApproval>["wrap"],
): RunRequest {
  const { mayChange, ...others } = request;
  const { cancel: _cancel, onBegun: _begun, onSuspended: _suspended, waitMs: _wait, from: _from, ...rest } = others;
  const { entersLate: _late, ...common } = rest;
  const withApproval = {
    ...common,
    approve: wrap(common.approve),
    askOperator: wrap(common.askOperator ?? unavailable),
  };
  if (owned === undefined) return withApproval;
  const { run, steps } = owned;
  const pinned = parsePinnedBundle(run.pinned, run.script);
  const { usedMs } = foldRun(steps);
  return {
    ...withApproval,
    script: { name: pinned.name, code: "" },
    bundler: makeRunBundler(run, pinned, mayChange),
    ...{ input: run.input, key: run.key },
    limits: { ...run.limits, timeoutMs: Math.max(LEAST_MS, run.limits.timeoutMs - usedMs) },
  };
}

/** What a run has at least to go on, in milliseconds: it hears again what it has heard in that time. */
const LEAST_MS = 1000;
