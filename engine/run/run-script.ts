import { randomUUID } from "node:crypto";
import { asksEach } from "../../runtime/host/call/decide-call.ts";
import { handleCalls } from "../../runtime/host/call/handle-calls.ts";
import { checkScriptInput } from "../../runtime/host/check-script-input.ts";
import { makeDryRun } from "../../runtime/host/checks/dry-run.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { capLimits } from "../../runtime/sandbox/pool/limits.ts";
import { runBundle, type SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import { makeRunClock, type RunClock } from "../../runtime/sandbox/pool/run-clock.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { loadExtra } from "../process/load-extra.ts";
import { answerSubjects } from "./answer-subject.ts";
import type { RunHost } from "./run-host.ts";
import type { RunRequest, AdmittedRun } from "./host.ts";
import { keepCallerContext } from "./keep-caller-context.ts";
import type { RecordExtra } from "./record-extra.ts";
import { review, reportReview } from "./review-script.ts";
import { describeUnrepeatable } from "./unrepeatable.ts";

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
  const run: AdmittedRun = {
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

/** Runs the script of an admitted run in a sandbox. With a dry run, `skipped` has a finding for each call that was not made. */
async function execute(
  host: RunHost,
  run: AdmittedRun,
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
function trustDomainOf({ request, bundle, granted }: AdmittedRun): string {
  const { client = "" } = request.access;
  return granted.length > 0 ? `${client}\n${digestText(bundle.code)}` : client;
}
