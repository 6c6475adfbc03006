import { asksEach, makeCallApprovals } from "../../runtime/host/call-approvals.ts";
import { type DryRun, makeDryRun } from "../../runtime/host/checks/dry-run.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { withScripts } from "../../runtime/host/discovery/with-scripts.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import { makeRunQuestions } from "../../runtime/host/questions/run-questions.ts";
import { runBundle, type RunOptions } from "../../runtime/sandbox/pool/run-bundle.ts";
import { makeRunClock, type RunClock } from "../../runtime/sandbox/pool/run-clock.ts";
import type { ToolHost } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import { RUN_KEY_META } from "../../schemas/run/run-key.ts";
import { loadExtra } from "../process/load-extra.ts";
import { signatureOf } from "../../templates/emit-signature.ts";
import type { RecordExtra } from "./record-extra.ts";
import type { RunContext, RunParts } from "./run-context.ts";

/** One for each lockfile, however many runs it serves. */
const discoveryOf = memoizeByLockfile((lockfile) => makeDiscovery(lockfile, signatureOf));

/** Runs the script of an admitted run in a sandbox. With a dry run, `skipped` has a finding for each call that was not made. */
export async function conductScript(
  run: RunContext,
  parts: RunParts,
): Promise<{ answer: RunAnswer; skipped: readonly Diagnostic[] }> {
  const { request, bundle, lockfile } = run;
  const { dryRun: asked, record, script } = request;
  const clock = makeRunClock();
  const dryRun = asked && makeDryRun(parts.checkOutput, asked.onSkipped);
  const options = toRunOptions(run, parts, clock, makeCallsOf(run, parts, clock, dryRun));
  const conduct = request.conduct ?? runBundle;
  const answer = await (record === undefined
    ? conduct(bundle, options, { lockfile, limits: run.limits, checkOutput: parts.checkOutput })
    : (await loadExtra<RecordExtra>("record")).recordRun(bundle, options, record, { script: script.name, lockfile }));
  return { answer, skipped: dryRun?.findings() ?? [] };
}

/** The host side of the calls of one run. */
function makeCallsOf(run: RunContext, parts: RunParts, clock: RunClock, dryRun: DryRun | undefined): ToolHost {
  const { request, limits, bundle, lockfile, granted, seen, report } = run;
  const { audience, checkInput, checkOutput, gate, pending, visible } = parts;
  const { access, beforeCall, sink } = request;
  const { manifest } = bundle;
  const { hold } = clock;
  const pass = gate({
    lockfile,
    manifest,
    access,
    granted,
    seen,
    audience,
    report,
    askAboutChange: (serverId, toolName) => pending.askInRun(serverId, toolName, { request, hold }),
  });
  const approvals = asksEach(access)
    ? makeCallApprovals({
        ...{ access, checkOutput, hold, report, audience, sink },
        approve: request.approveInRun ?? request.approve,
        askOperator: request.askOperatorInRun,
        consentBy: request.consentBy,
      })
    : undefined;
  return makeToolHost({
    approvals,
    checkInput,
    checkOutput,
    listenTo: makeRunQuestions({ ask: request.ask, access, hold, sink }),
    connectionOf: pass,
    beforeCall,
    audience,
    maxCallMs: limits.timeoutMs,
    lockfile,
    manifest,
    access,
    granted,
    discover: withScripts(discoveryOf(visible(lockfile, access)), request.listScripts ?? (async () => [])),
    readResult: request.results?.read,
    report,
    sink,
    runSignal: request.signal,
    meta: { [RUN_KEY_META]: request.key },
    dryRun,
  });
}

function toRunOptions(run: RunContext, parts: RunParts, clock: RunClock, toolHost: ToolHost): RunOptions {
  const { input = null, key, result, sink, signal } = run.request;
  return {
    toolHost,
    pool: parts.pool,
    clock,
    trustDomain: trustDomainOf(run),
    limits: run.limits,
    audience: parts.audience,
    input,
    key,
    readResult: result?.read,
    sink,
    signal,
    notesPlaces: asksEach(run.request.access),
  };
}

/** Whose runs may share a process. An approval is for one script: no other one's code may ever have been, or come, into its process. */
function trustDomainOf({ request, bundle, granted }: RunContext): string {
  const { client = "" } = request.access;
  return granted.length > 0 ? `${client}\n${digestText(bundle.code)}` : client;
}
