import type { AnsweredBy } from "../../schemas/run/approval.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { withoutSkipped } from "../../runtime/host/checks/dry-run.ts";
import {
  reviewManifest,
  describeUnapprovedScript,
  evaluateManifest,
} from "../../runtime/host/checks/review-manifest.ts";
import { seekApproval, approvalOf } from "../../runtime/host/checks/seek-approval.ts";
import type { Run } from "../../runtime/host/run.ts";
import { CANCELLED } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import type { ReviewVerdict } from "../../schemas/run/events.ts";
import type { RunHost } from "./run-host.ts";
import type { AdmittedRun } from "./host.ts";
import { toScriptToApprove } from "./script-to-approve.ts";

/** A script that was bundled. */
interface ReviewedScript extends Pick<AdmittedRun, "bundle" | "lockfile" | "request" | "limits" | "key"> {
  /** Whether it was bundled before. */
  isPinned: boolean;
}

/** The tools that a person has just approved (none if the policy asks about none), or why the script does not run. */
type Review = { verdict: ReviewVerdict; by?: AnsweredBy | undefined } & (
  | { ok: true; granted: Run["granted"]; warnings?: readonly Diagnostic[] | undefined }
  | { ok: false; diagnostics: Diagnostic[] }
);

/** Checks a bundle against the policy, and asks a person if the policy requires it. */
export async function review(
  { findNewDrift, audience, makeMask, pending }: RunHost,
  { bundle, isPinned, lockfile, request, limits, key }: ReviewedScript,
): Promise<Review> {
  const outcome = reviewManifest(bundle, lockfile, request.access);
  if (outcome.kind === "allowed") return { ok: true, granted: [], verdict: "allowed" };
  if (outcome.kind === "denied") return { ok: false, diagnostics: [outcome.diagnostic], verdict: "denied" };
  const granted = outcome.request.tools;
  const { isDryRun = false } = request;
  const needed = isDryRun ? withoutSkipped(outcome.request) : outcome.request;
  if (needed.tools.length === 0) return { ok: true, granted, verdict: "allowed" };
  const script = toScriptToApprove({ bundle, isPinned, request }, makeMask());
  request.beforeApproval?.(bundle, { lockfile, limits, key });
  const asked = { ...needed, tools: pending.withChanges(needed.tools), script };
  const { verdict, by } = await seekApproval(asked, request, request.signal);
  if (verdict === "cancelled") return { ok: false, diagnostics: [CANCELLED], verdict };
  if (verdict !== "granted") {
    const missing = describeUnapprovedScript(asked, verdict, audience);
    return { ok: false, diagnostics: [pending.withWayOn(missing, asked.tools)], verdict, by };
  }
  const drifted = await findNewDrift(bundle.manifest, request.access);
  if (drifted.length > 0) return { ok: false, diagnostics: drifted, verdict: "moved", by };
  const warnings = isDryRun ? [] : await pending.accept(asked.tools, bundle.manifest, request.access);
  return { ok: true, granted, warnings, verdict, by };
}

export function reportReview(
  { verdict, by }: Review,
  { bundle, lockfile, request }: Pick<ReviewedScript, "bundle" | "lockfile" | "request">,
): void {
  const { access, approvalBy, emit } = request;
  // The same question comes again, with its answer.
  if (verdict === "waiting") return;
  const wasAsked = verdict !== "allowed" && verdict !== "denied" && verdict !== "reserved";
  emit?.({
    type: "reviewed",
    verdict,
    ...(wasAsked ? approvalOf(by, approvalBy) : {}),
    tools: () =>
      evaluateManifest(bundle.manifest, lockfile, access).map(({ entry, integrity, verdict: ofTool }) => ({
        serverId: entry.serverId,
        toolName: entry.toolName,
        integrity,
        verdict: ofTool,
      })),
  });
}
