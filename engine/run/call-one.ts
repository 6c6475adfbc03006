import { accessVerdict } from "../../schemas/access/access.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import { type Diagnostic, errorsOf } from "../../schemas/run/answer.ts";
import type { AnsweredBy, ApprovalVerdict, ToolToApprove } from "../../schemas/run/approval.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import type { CallSign, ReviewVerdict } from "../../schemas/run/events.ts";
import { makeCalls } from "../../runtime/host/call/make-call.ts";
import { reportCall } from "../../runtime/host/call/report-call.ts";
import { admitCall, makeToolSearch } from "../../runtime/host/checks/admit-call.ts";
import { describeMissingApproval } from "../../runtime/host/checks/describe-missing-approval.ts";
import { toRefusal } from "../../runtime/host/checks/refuse.ts";
import { toEntry } from "../../runtime/host/checks/review-manifest.ts";
import { approvalOf, seekApproval } from "../../runtime/host/checks/seek-approval.ts";
import type { Requester, Run } from "../../runtime/host/run.ts";
import type { CallOutcome } from "./host.ts";
import type { RunHost } from "./run-host.ts";

/** Makes a call without a script, which gets every check of a script's call: start, drift, policy, approval, schema. */
export async function callOne(host: RunHost, request: ToolCall & Requester): Promise<CallOutcome> {
  const { lock, importable, refusalOf } = host;
  const { serverId, toolName, input, access, signal, emit } = request;
  const call = { serverId, toolName, input };
  const diagnostics: Diagnostic[] = [];
  if (importable(access).servers.has(serverId)) {
    const unstarted = await host.admitStart([serverId], request);
    if (unstarted !== undefined) return refuseBy(unstarted, [unstarted]);
    const known = manifestOf(importable(access), call);
    diagnostics.push(...(await lock.look([serverId], refusalOf(known), access)));
  }
  const [drifted] = errorsOf(diagnostics);
  if (drifted !== undefined) return refuseBy(drifted, diagnostics);

  const lockfile = importable(access);
  const manifest = manifestOf(lockfile, call);
  const tool = findOperation(lockfile.servers.get(serverId), toolName);
  const entry: ToolToApprove = tool === undefined ? { serverId, toolName } : toEntry(serverId, tool);
  const run: Run = {
    ...{ request, lockfile, manifest, granted: [entry], seen: lock.seen([serverId], access) },
    report: (diagnostic) => void diagnostics.push(diagnostic),
    hold: () => () => undefined,
    unrepeatable: new Set(),
  };
  // No question about a call that is refused anyway.
  const find = makeToolSearch(run);
  const admitted = admitCall(call, host, run, find);
  if ("error" in admitted) {
    const { error } = admitted;
    reportCall(emit, call, lockfile, find)?.({ outcome: "refused", code: error.errorClass });
    if (tool === undefined) diagnostics.push(...lock.describePending([serverId], access));
    return { ok: false, error, diagnostics };
  }
  const approved = await approve(host, request, { entry, tool: admitted.tool, manifest });
  diagnostics.push(...approved.diagnostics);
  const [refusal] = errorsOf(diagnostics);
  if (refusal !== undefined) return refuseBy(refusal, diagnostics);
  const onSign = request.wantsProgress
    ? (sign: CallSign) => emit?.({ type: "call-progress", serverId, toolName, number: 1, sign })
    : undefined;
  const makeCall = makeCalls(host, { ...run, granted: approved.granted });
  const outcome = await makeCall({ ...call, signal: signal ?? new AbortController().signal, onSign });
  return { ...outcome, diagnostics };
}

/** A call that is not made, by an error among the findings. */
export function refuseBy({ message, hint = "Try again." }: Diagnostic, diagnostics: Diagnostic[]): CallOutcome {
  return { ok: false, error: toRefusal("ToolCallError", message, hint), diagnostics };
}

/** The manifest of one call; empty where there is no such tool. */
function manifestOf(lockfile: Lockfile, { serverId, toolName }: ToolCall): Manifest {
  const tool = findOperation(lockfile.servers.get(serverId), toolName);
  if (tool === undefined) return { tools: [] };
  const { exportName, integrity } = tool;
  return { tools: [{ serverId, toolName, exportName, integrity }] };
}

/** Asks for the approval that the policy demands, and says what was granted. An error among the findings stops the call. */
async function approve(
  { pending, findNewDrift, audience }: RunHost,
  request: ToolCall & Requester,
  { entry, tool, manifest }: { entry: ToolToApprove; tool: LockedTool; manifest: Manifest },
): Promise<{ granted: ToolToApprove[]; diagnostics: Diagnostic[] }> {
  const { serverId, toolName, input, access, signal, approvalBy } = request;
  const { integrity } = tool;
  const ofTool = accessVerdict(access, serverId, tool);
  const reviewed = (verdict: ReviewVerdict, by?: AnsweredBy): void =>
    request.emit?.({
      type: "reviewed",
      verdict,
      ...(verdict === "allowed" || verdict === "reserved" ? {} : approvalOf(by, approvalBy)),
      tools: () => [{ serverId, toolName, integrity, verdict: ofTool }],
    });
  // With `askEach` a person is asked when the call has passed all checks, unless its definition waits for one.
  if (ofTool !== "ask" && (ofTool !== "askEach" || tool.pending === undefined)) {
    reviewed("allowed");
    return { granted: [], diagnostics: [] };
  }
  const digest = integrityOf([serverId, toolName, integrity, input]);
  const tools = pending.withChanges([entry]);
  const { verdict, by } = await seekApproval({ tools, digest }, { approve: request.approve, access }, signal);
  if (verdict !== "granted") {
    reviewed(verdict, by);
    const missing = describeRefusal(`${serverId}/${toolName}`, verdict, audience);
    return { granted: [], diagnostics: [pending.withWayOn(missing, tools)] };
  }
  const moved = await findNewDrift(manifest, access);
  const diagnostics = moved.length > 0 ? moved : await pending.accept(tools, manifest, access);
  reviewed(errorsOf(diagnostics).length > 0 ? "moved" : verdict, by);
  return { granted: [entry], diagnostics };
}

function describeRefusal(
  name: string,
  verdict: Exclude<ApprovalVerdict | "cancelled", "granted">,
  audience: RunHost["audience"],
): Diagnostic {
  if (verdict !== "cancelled") return describeMissingApproval({ kind: "call", tools: name }, verdict, audience);
  const message = "The call was cancelled";
  return { severity: "error", code: "RUN_CANCELLED", message, hint: "The caller cancelled it." };
}
