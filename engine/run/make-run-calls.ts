import { asksEach, makeCallApprovals } from "../../runtime/host/call-approvals.ts";
import type { DryRun } from "../../runtime/host/checks/dry-run.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { withScripts } from "../../runtime/host/discovery/with-scripts.ts";
import { makeToolHost } from "../../runtime/host/make-tool-host.ts";
import { makeRunQuestions } from "../../runtime/host/questions/run-questions.ts";
import type { RunClock } from "../../runtime/sandbox/pool/run-clock.ts";
import type { ToolHost } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import { RUN_KEY_META } from "../../schemas/run/run-key.ts";
import { signatureOf } from "../../templates/emit-signature.ts";
import type { RunContext, RunParts } from "./run-context.ts";

/** One for each lockfile, however many runs it serves. */
const discoveryOf = memoizeByLockfile((lockfile) => makeDiscovery(lockfile, signatureOf));

/** The host side of the calls of one run. */
export function makeRunCalls(
  run: RunContext,
  parts: RunParts,
  { hold }: RunClock,
  dryRun: DryRun | undefined,
): ToolHost {
  const { request, limits, bundle, lockfile, granted, seen, report, unrepeatable } = run;
  const { audience, checkInput, checkOutput, checkOwnInput, gate, pending, viewOf, visible } = parts;
  const { access, beforeCall, emit, enterCall } = request;
  const { manifest } = bundle;
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
  const approvals =
    asksEach(access) || request.answered !== undefined
      ? makeCallApprovals({
          ...{ access, checkOutput, hold, report, audience, emit, viewOf },
          approve: request.approveInRun ?? request.approve,
          askOperator: request.askOperatorInRun,
          ...{ isGranted: request.isGranted, answered: request.answered },
          approvalBy: request.approvalBy,
        })
      : undefined;
  return makeToolHost({
    approvals,
    checkInput,
    checkOutput,
    checkOwnInput,
    listenTo: makeRunQuestions({ ask: request.ask, askOutside: request.askOutside, access, hold, emit }),
    connectionOf: pass,
    beforeCall,
    onUnrepeatable: ({ serverId, toolName }) => unrepeatable.add(`${serverId}/${toolName}`),
    audience,
    maxCallMs: limits.timeoutMs,
    lockfile,
    manifest,
    access,
    granted,
    discover: withScripts(discoveryOf(visible(lockfile, access)), request.listScripts ?? (async () => [])),
    readResult: request.results?.read,
    report,
    ...{ emit, enterCall },
    runSignal: request.signal,
    caller: request.caller,
    meta: { [RUN_KEY_META]: request.key },
    dryRun,
  });
}
