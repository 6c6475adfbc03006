import { checkScriptInput } from "../../runtime/host/check-script-input.ts";
import { withRunKey } from "../../runtime/host/run-key.ts";
import { capLimits } from "../../runtime/sandbox/pool/limits.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, type RunLimits } from "../../schemas/run/answer.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { conductScript } from "./conduct-script.ts";
import type { RunRequest } from "./host.ts";
import type { ScriptPreparation } from "./prepare-script.ts";
import type { RunParts } from "./run-context.ts";
import type { ToolToApprove } from "../../schemas/run/approval.ts";
import { withoutSkipped } from "../../runtime/host/checks/dry-run.ts";
import type { ReviewVerdict } from "../../schemas/run/observer.ts";
import {
  describeMissingApproval,
  evaluateManifest,
  reviewManifest,
} from "../../runtime/host/checks/review-manifest.ts";
import { CANCELLED } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { seekApproval } from "../../runtime/host/checks/seek-approval.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { Bundle, Manifest } from "../../schemas/run/bundle.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { PendingReview } from "../../runtime/host/pending-review.ts";

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
  request.sink?.bundled?.({ bundle, lockfile, accepted: current() });
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

/** The tools that a person has just approved (none if the policy asks about none), or why the script does not run. */
type Consent =
  | { ok: true; granted: readonly ToolToApprove[]; warnings?: readonly Diagnostic[] | undefined }
  | { ok: false; diagnostics: Diagnostic[] };

/** Checks a bundle against the policy, and asks a person if the policy requires it. */
type ScriptReview = (bundle: Bundle, lockfile: Lockfile, request: RunRequest) => Promise<Consent>;

interface ScriptReviewOptions {
  /** Says what has changed of the tools of a manifest while a person was asked. */
  findNewDrift: (manifest: Manifest, access: Access) => Promise<Diagnostic[]>;
  audience: Audience;
  pending: PendingReview;
}

export function makeScriptReview({ findNewDrift, audience, pending }: ScriptReviewOptions): ScriptReview {
  const review = async (bundle: Bundle, lockfile: Lockfile, request: RunRequest): Promise<Consent & Reviewed> => {
    const outcome = reviewManifest(bundle, lockfile, request.access);
    if (outcome.kind === "allowed") return { ok: true, granted: [], verdict: "allowed" };
    if (outcome.kind === "denied") return { ok: false, diagnostics: [outcome.diagnostic], verdict: "denied" };
    const granted = outcome.request.tools;
    const needed = request.dryRun === undefined ? outcome.request : withoutSkipped(outcome.request);
    if (needed.tools.length === 0) return { ok: true, granted, verdict: "allowed" };
    const asked = { ...needed, tools: pending.withChanges(needed.tools) };
    const verdict = await seekApproval(asked, request, request.signal);
    if (verdict === "cancelled") return { ok: false, diagnostics: [CANCELLED], verdict };
    if (verdict !== "granted") {
      const missing = describeMissingApproval(asked, verdict, audience);
      return { ok: false, diagnostics: [pending.withWayOn(missing, asked.tools)], verdict };
    }
    const drifted = await findNewDrift(bundle.manifest, request.access);
    if (drifted.length > 0) return { ok: false, diagnostics: drifted, verdict: "moved" };
    const warnings =
      request.dryRun === undefined ? await pending.accept(asked.tools, bundle.manifest, request.access) : [];
    return { ok: true, granted, warnings, verdict };
  };
  return async (bundle, lockfile, request) => {
    const consent = await review(bundle, lockfile, request);
    reportReview(consent, bundle, lockfile, request);
    return consent;
  };
}

interface Reviewed {
  verdict: ReviewVerdict;
}

function reportReview(
  { verdict }: Reviewed,
  { manifest }: Bundle,
  lockfile: Lockfile,
  { access, consentBy, sink }: RunRequest,
): void {
  const wasAsked = verdict !== "allowed" && verdict !== "denied" && verdict !== "reserved";
  sink?.reviewed?.({
    verdict,
    consentBy: wasAsked ? consentBy : undefined,
    tools: () =>
      evaluateManifest(manifest, lockfile, access).map(({ entry, integrity, verdict: ofTool }) => ({
        serverId: entry.serverId,
        toolName: entry.toolName,
        integrity,
        verdict: ofTool,
      })),
  });
}
