import { checkScriptInput } from "../../runtime/host/check-script-input.ts";
import { withRunKey } from "../../runtime/host/run-key.ts";
import { capLimits } from "../../runtime/sandbox/pool/limits.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, type RunLimits } from "../../schemas/run/answer.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { conductScript } from "./conduct-script.ts";
import type { RunRequest } from "./host.ts";
import type { ScriptPreparation } from "./prepare-script.ts";
import type { ScriptReview } from "./review-script.ts";
import type { RunParts } from "./run-context.ts";

/** What takes a script from its text to its answer. */
export interface RunSteps extends RunParts {
  /** No run exceeds them. */
  mostLimits: RunLimits;
  preparation: ScriptPreparation;
  review: ScriptReview;
  /** What is locked now. */
  current: () => Lockfile;
}

/** Bundles a script, checks it against the policy, and runs it. It resolves to an answer for every script. */
export async function runScript(asked: RunRequest, steps: RunSteps): Promise<RunAnswer> {
  const { mostLimits, preparation, review, current } = steps;
  const request = withRunKey(asked);
  const limits = capLimits(request.limits ?? {}, mostLimits, mostLimits);
  if (request.result !== undefined) limits.maxResultBytes = request.result.maxBytes;
  const { outcome, lockfile, seen, findings, isRefused } = await preparation.prepare(request, limits.timeoutMs);
  if (!outcome.ok) return failedAnswer([...outcome.diagnostics, ...(await findings)]);
  const { bundle, warnings } = outcome;
  request.observation?.bundled?.({ bundle, lockfile, accepted: current() });
  const refuse = async (...diagnostics: Diagnostic[]): Promise<RunAnswer> =>
    failedAnswer([...diagnostics, ...(await findings), ...warnings]);
  if (isRefused) return refuse();
  const mismatch = checkScriptInput(bundle.input, request.input ?? null);
  if (mismatch !== undefined) return refuse(mismatch);
  const consent = await review(bundle, lockfile, request);
  if (!consent.ok) return refuse(...consent.diagnostics);

  const reported: Diagnostic[] = [...(consent.warnings ?? [])];
  const report = (diagnostic: Diagnostic): void => void reported.push(diagnostic);
  const run = { request, limits, bundle, lockfile, seen, granted: consent.granted, report };
  const { answer, skipped } = await conductScript(run, steps);
  const found = await findings;
  // What the start of the run and one of its calls have both met is said once.
  const said = new Set(found.map(({ severity, message }) => `${severity} ${message}`));
  const added = reported.filter(({ severity, message }) => !said.has(`${severity} ${message}`));
  return { ...answer, diagnostics: [...answer.diagnostics, ...added, ...skipped, ...found, ...warnings] };
}
