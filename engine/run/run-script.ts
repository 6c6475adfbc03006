import type { AnsweredBy } from "../../schemas/run/approval.ts";
import { randomUUID } from "node:crypto";
import { asksEach } from "../../runtime/host/call/decide-call.ts";
import { handleCalls } from "../../runtime/host/call/handle-calls.ts";
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
import { runBundle, type SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import { makeRunClock, type RunClock } from "../../runtime/sandbox/pool/run-clock.ts";
import { isRepeatable } from "../../schemas/access/policy.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import { type Diagnostic, errorsOf, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { ReviewVerdict } from "../../schemas/run/events.ts";
import { loadExtra } from "../process/load-extra.ts";
import type { Run } from "../../runtime/host/run.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { answerSubjects } from "./answer-subject.ts";
import type { RunHost, RunRequest } from "./host.ts";
import { keepCallerContext } from "./keep-caller-context.ts";
import { toScriptToApprove } from "./script-to-approve.ts";
import type { RecordExtra } from "./record-extra.ts";

/** A run of a script that has been admitted. */
interface ScriptRun extends Run {
  readonly request: RunRequest;
  readonly key: string;
  readonly limits: RunLimits;
  readonly bundle: Bundle;
}

/** Prepares a script, holds it against the policy, and runs it. It resolves to an answer for every script. */
export async function runScript(host: RunHost, asked: RunRequest): Promise<RunAnswer> {
  const { key = randomUUID() } = asked;
  const request = keepCallerContext({ ...asked, key });
  const limits = capLimits(request.limits ?? {}, host.mostLimits, host.mostLimits);
  if (request.result !== undefined) limits.maxResultBytes = request.result.maxBytes;
  const { outcome, lockfile, seen, findings, isRefused } = await host.preparation.prepare(request, limits.timeoutMs);
  if (!outcome.ok) return failedAnswer([...outcome.diagnostics, ...(await findings)]);
  const { bundle, warnings, isPinned = false } = outcome;
  request.emit?.({ type: "bundled", bundle, lockfile, accepted: host.lock.current() });
  const refuse = async (...diagnostics: Diagnostic[]): Promise<RunAnswer> =>
    failedAnswer([...diagnostics, ...(await findings), ...warnings]);
  if (isRefused) return refuse();
  const mismatch = checkScriptInput(bundle.input, request.input ?? null);
  if (mismatch !== undefined) return refuse(mismatch);
  const approval = await review(host, { bundle, isPinned, lockfile, request, limits, key });
  reportReview(approval, { bundle, lockfile, request });
  if (!approval.ok) return refuse(...approval.diagnostics);

  const reported: Diagnostic[] = [...(approval.warnings ?? [])];
  const clock = makeRunClock();
  const run: ScriptRun = {
    ...{ request, key, limits, bundle, lockfile, seen, manifest: bundle.manifest, granted: approval.granted },
    ...{ maxCallMs: limits.timeoutMs, hold: clock.hold, unrepeatable: new Set<string>() },
    report: (diagnostic) => void reported.push(diagnostic),
  };
  const { answer, skipped } = await execute(host, run, clock);
  const found = await findings;
  // What the start of the run and one of its calls have both met is said once.
  const said = new Set(found.map(({ severity, message }) => `${severity} ${message}`));
  const added = reported.filter(({ severity, message }) => !said.has(`${severity} ${message}`));
  const diagnostics = [...answer.diagnostics, ...added, ...skipped, ...found, ...warnings];
  return { ...answer, diagnostics, ...describeUnrepeatable(run, { ...answer, diagnostics }) };
}

/** Of a failed run: what it has done that may not be done twice. */
function describeUnrepeatable(
  { unrepeatable, lockfile, request }: ScriptRun,
  { diagnostics, toolTrace }: RunAnswer,
): Pick<RunAnswer, "unrepeatable"> {
  if (errorsOf(diagnostics).length === 0) return {};
  // What a run that goes on has sent before, its trace alone shows.
  const before =
    request.execute === undefined
      ? []
      : toolTrace.filter(({ ok, serverId, toolName }) => {
          const tool = findOperation(lockfile.servers.get(serverId), toolName);
          return ok && tool !== undefined && !isRepeatable(tool);
        });
  const names = new Set([...unrepeatable, ...before.map(({ serverId, toolName }) => `${serverId}/${toolName}`)]);
  return names.size === 0 ? {} : { unrepeatable: [...names].toSorted(byCodeUnits) };
}

/** A script that was bundled. */
interface ReviewedScript extends Pick<ScriptRun, "bundle" | "lockfile" | "request" | "limits" | "key"> {
  /** Whether it was bundled before. */
  isPinned: boolean;
}

/** The tools that a person has just approved (none if the policy asks about none), or why the script does not run. */
type Review = { verdict: ReviewVerdict; by?: AnsweredBy | undefined } & (
  | { ok: true; granted: Run["granted"]; warnings?: readonly Diagnostic[] | undefined }
  | { ok: false; diagnostics: Diagnostic[] }
);

/** Checks a bundle against the policy, and asks a person if the policy requires it. */
async function review(
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

function reportReview(
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

/** Runs the script of an admitted run in a sandbox. With a dry run, `skipped` has a finding for each call that was not made. */
async function execute(
  host: RunHost,
  run: ScriptRun,
  clock: RunClock,
): Promise<{ answer: RunAnswer; skipped: readonly Diagnostic[] }> {
  const { request, limits, bundle, lockfile, key } = run;
  const { access, isDryRun = false, input = null, record, result, script, emit, wantsProgress, signal } = request;
  const dryRun = isDryRun ? makeDryRun(host.checkOutput, emit) : undefined;
  const perform = handleCalls(host, run, answerSubjects(host.visible(lockfile, access), request));
  const sandbox: SandboxRun = {
    ...{ pool: host.pool, clock, limits, audience: host.audience, input, key, emit, wantsProgress, signal },
    handleCall: dryRun === undefined ? perform : (call, known) => perform(call, { ...known, instead: dryRun.answer }),
    trustDomain: trustDomainOf(run),
    readResult: result?.read,
    notesPlaces: asksEach(access),
  };
  const answer = await (record === undefined
    ? (request.execute ?? runBundle)(bundle, sandbox, { host, run })
    : (await loadExtra<RecordExtra>("record")).recordRun(bundle, sandbox, record, { script: script.name, lockfile }));
  return { answer, skipped: dryRun?.findings() ?? [] };
}

/** Whose runs may share a process. An approval is for one script: no other one's code may ever have been, or come, into its process. */
function trustDomainOf({ request, bundle, granted }: ScriptRun): string {
  const { client = "" } = request.access;
  return granted.length > 0 ? `${client}\n${digestText(bundle.code)}` : client;
}
