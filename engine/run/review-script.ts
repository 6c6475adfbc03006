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
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Bundle, Manifest } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Reader } from "../../schemas/reader.ts";
import type { RunRequest } from "./host.ts";
import type { PendingReview } from "../../runtime/host/pending-review.ts";

/** The tools that a person has just approved (none if the policy asks about none), or why the script does not run. */
export type Consent =
  | { ok: true; granted: readonly ToolToApprove[]; warnings?: readonly Diagnostic[] | undefined }
  | { ok: false; diagnostics: Diagnostic[] };

/** Checks a bundle against the policy, and asks a person if the policy requires it. */
export type ScriptReview = (bundle: Bundle, lockfile: Lockfile, request: RunRequest) => Promise<Consent>;

export interface ScriptReviewOptions {
  /** Says what has changed of the tools of a manifest while a person was asked. */
  lookAgain: (manifest: Manifest, access: Access) => Promise<Diagnostic[]>;
  reader: Reader;
  pending: PendingReview;
}

export function makeScriptReview({ lookAgain, reader, pending }: ScriptReviewOptions): ScriptReview {
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
      const missing = describeMissingApproval(asked, verdict, reader);
      return { ok: false, diagnostics: [pending.withWayOn(missing, asked.tools)], verdict };
    }
    const drifted = await lookAgain(bundle.manifest, request.access);
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
  { access, consentBy, observation }: RunRequest,
): void {
  const wasAsked = verdict !== "allowed" && verdict !== "denied" && verdict !== "reserved";
  observation?.reviewed?.({
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
