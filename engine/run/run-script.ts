import type { AnsweredBy } from "../../schemas/run/approval.ts";
import { randomUUID } from "node:crypto";
import { asksEach } from "../../runtime/host/call-approvals.ts";
import { checkScriptInput } from "../../runtime/host/check-script-input.ts";
import { makeDryRun, withoutSkipped } from "../../runtime/host/checks/dry-run.ts";
import {
  describeUnapprovedScript,
  evaluateManifest,
  reviewManifest,
} from "../../runtime/host/checks/review-manifest.ts";
import { approvalOf, seekApproval } from "../../runtime/host/checks/seek-approval.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { CANCELLED } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { capLimits } from "../../runtime/sandbox/pool/limits.ts";
import { runBundle } from "../../runtime/sandbox/pool/run-bundle.ts";
import { makeRunClock } from "../../runtime/sandbox/pool/run-clock.ts";
import { isRepeatable } from "../../schemas/access/policy.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import { type Diagnostic, errorsOf, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { ReviewVerdict } from "../../schemas/run/events.ts";
import { loadExtra } from "../process/load-extra.ts";
import type { Host, RunRequest } from "./host.ts";
import { makeRunCalls } from "./make-run-calls.ts";
import { toScriptToApprove } from "./script-to-approve.ts";
import type { ScriptPreparation } from "./prepare-script.ts";
import type { RecordExtra } from "./record-extra.ts";
import type { RunContext, RunParts } from "./run-context.ts";

/** What takes a script from its text to its answer. */
export interface RunSteps extends RunParts {
  /** No run exceeds them. */
  mostLimits: RunLimits;
  preparation: ScriptPreparation;
  /** Says what has changed of the tools of a manifest while a person was asked. */
  findNewDrift: (manifest: RunContext["bundle"]["manifest"], access: RunRequest["access"]) => Promise<Diagnostic[]>;
  /** What is locked now. */
  current: () => RunContext["lockfile"];
}

/** Makes what bundles a script, checks it against the policy, and runs it. It resolves to an answer for every script. */
export function makeScriptRunner(steps: RunSteps): Host["run"] {
  const { mostLimits, preparation, current } = steps;
  return async (asked) => {
    const request = { ...asked, key: asked.key ?? randomUUID() };
    const limits = capLimits(request.limits ?? {}, mostLimits, mostLimits);
    if (request.result !== undefined) limits.maxResultBytes = request.result.maxBytes;
    const { outcome, lockfile, seen, findings, isRefused } = await preparation.prepare(request, limits.timeoutMs);
    if (!outcome.ok) return failedAnswer([...outcome.diagnostics, ...(await findings)]);
    const { bundle, warnings, isPinned = false } = outcome;
    request.emit?.({ type: "bundled", bundle, lockfile, accepted: current() });
    const refuse = async (...diagnostics: Diagnostic[]): Promise<RunAnswer> =>
      failedAnswer([...diagnostics, ...(await findings), ...warnings]);
    if (isRefused) return refuse();
    const mismatch = checkScriptInput(bundle.input, request.input ?? null);
    if (mismatch !== undefined) return refuse(mismatch);
    const approval = await review({ bundle, isPinned, lockfile, request, limits }, steps);
    reportReview(approval, { bundle, lockfile, request });
    if (!approval.ok) return refuse(...approval.diagnostics);

    const reported: Diagnostic[] = [...(approval.warnings ?? [])];
    const report = (diagnostic: Diagnostic): void => void reported.push(diagnostic);
    const unrepeatable = new Set<string>();
    const run = { request, limits, bundle, lockfile, seen, granted: approval.granted, report, unrepeatable };
    const { answer, skipped } = await conduct(run, steps);
    const found = await findings;
    // What the start of the run and one of its calls have both met is said once.
    const said = new Set(found.map(({ severity, message }) => `${severity} ${message}`));
    const added = reported.filter(({ severity, message }) => !said.has(`${severity} ${message}`));
    const diagnostics = [...answer.diagnostics, ...added, ...skipped, ...found, ...warnings];
    return { ...answer, diagnostics, ...describeUnrepeatable(run, { ...answer, diagnostics }) };
  };
}

/** Of a failed run: what it has done that may not be done twice. */
function describeUnrepeatable(
  { unrepeatable, lockfile, request }: RunContext,
  { diagnostics, toolTrace }: RunAnswer,
): Pick<RunAnswer, "unrepeatable"> {
  if (errorsOf(diagnostics).length === 0) return {};
  // What a run that goes on has sent before, its trace alone shows.
  const before =
    request.conduct === undefined
      ? []
      : toolTrace.filter(({ ok, serverId, toolName }) => {
          const tool = findOperation(lockfile.servers.get(serverId), toolName);
          return ok && tool !== undefined && !isRepeatable(tool);
        });
  const names = new Set([...unrepeatable, ...before.map(({ serverId, toolName }) => `${serverId}/${toolName}`)]);
  return names.size === 0 ? {} : { unrepeatable: [...names].toSorted(byCodeUnits) };
}

/** A script that was bundled. */
type Bundled = Pick<RunContext, "bundle" | "lockfile" | "request" | "limits"> & {
  /** Whether it was bundled before. */
  isPinned: boolean;
};

/** The tools that a person has just approved (none if the policy asks about none), or why the script does not run. */
type Review = { verdict: ReviewVerdict; by?: AnsweredBy | undefined } & (
  | { ok: true; granted: RunContext["granted"]; warnings?: readonly Diagnostic[] | undefined }
  | { ok: false; diagnostics: Diagnostic[] }
);

/** Checks a bundle against the policy, and asks a person if the policy requires it. */
async function review(
  { bundle, isPinned, lockfile, request, limits }: Bundled,
  { findNewDrift, audience, makeMask, pending }: RunSteps,
): Promise<Review> {
  const outcome = reviewManifest(bundle, lockfile, request.access);
  if (outcome.kind === "allowed") return { ok: true, granted: [], verdict: "allowed" };
  if (outcome.kind === "denied") return { ok: false, diagnostics: [outcome.diagnostic], verdict: "denied" };
  const granted = outcome.request.tools;
  const { isDryRun = false } = request;
  const needed = isDryRun ? withoutSkipped(outcome.request) : outcome.request;
  if (needed.tools.length === 0) return { ok: true, granted, verdict: "allowed" };
  const script = toScriptToApprove({ bundle, isPinned, request }, makeMask());
  request.beforeApproval?.(bundle, { lockfile, limits, key: request.key ?? "" });
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

function reportReview(
  { verdict, by }: Review,
  { bundle, lockfile, request }: Pick<Bundled, "bundle" | "lockfile" | "request">,
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

/** Runs the script of an admitted run in a sandbox. With a dry run, `skipped` has a finding for each call that was not made. */
async function conduct(
  run: RunContext,
  parts: RunParts,
): Promise<{ answer: RunAnswer; skipped: readonly Diagnostic[] }> {
  const { request, limits, bundle, lockfile } = run;
  const { isDryRun = false, input = null, key, record, result, script, emit, wantsProgress, signal } = request;
  const { audience, checkOutput, pool, viewOf } = parts;
  const clock = makeRunClock();
  const dryRun = isDryRun ? makeDryRun(checkOutput, emit) : undefined;
  const options = {
    ...{ pool, clock, limits, audience, input, key, emit, wantsProgress, signal },
    toolHost: makeRunCalls(run, parts, clock, dryRun),
    trustDomain: trustDomainOf(run),
    readResult: result?.read,
    notesPlaces: asksEach(request.access),
  };
  const answer = await (record === undefined
    ? (request.conduct ?? runBundle)(bundle, options, { lockfile, limits, checkOutput, viewOf })
    : (await loadExtra<RecordExtra>("record")).recordRun(bundle, options, record, { script: script.name, lockfile }));
  return { answer, skipped: dryRun?.findings() ?? [] };
}

/** Whose runs may share a process. An approval is for one script: no other one's code may ever have been, or come, into its process. */
function trustDomainOf({ request, bundle, granted }: RunContext): string {
  const { client = "" } = request.access;
  return granted.length > 0 ? `${client}\n${digestText(bundle.code)}` : client;
}
