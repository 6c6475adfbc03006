import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { CallView } from "../../schemas/run/describe-call.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { type OneCallReview, approveOneCall, type OneCall } from "./approve-one-call.ts";
import { admitCall, type CallRules, makeToolSearch } from "./checks/admit-call.ts";
import { asksEach, makeCallApprovals } from "./call-approvals.ts";
import { type AskPerson, makeRunQuestions } from "./questions/run-questions.ts";
import type { CallSign } from "../../schemas/run/events.ts";
import type { ToolToApprove } from "../../schemas/run/approval.ts";
import type { Refusal } from "./lock/drift-verdict.ts";
import type { LiveLock } from "./lock/live-lock.ts";
import type { CallGate, GatedRun } from "./lock/make-call-gate.ts";
import { type EnterCall, makeToolCaller, type ToolCallerOptions, type ToolOutcome } from "./make-tool-caller.ts";
import type { TraceContext } from "../../schemas/run/trace-context.ts";
import { reportCall } from "./report-call.ts";
import { toRefusal } from "./checks/refuse.ts";
import { toEntry } from "./checks/review-manifest.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { AdmitStart } from "./admit-start.ts";

/** One call without a script. */
export interface CallRequest extends OneCall {
  /** As in `RunRequest`. */
  ask?: AskPerson | undefined;
  /** As in `RunRequest`. */
  caller?: RunCaller | undefined;
  /** As in `RunRequest`. */
  wantsProgress?: boolean | undefined;
  /** As in `RunRequest`. */
  enterCall?: EnterCall | undefined;
  /** For the events, like the next. */
  runId?: (() => string) | undefined;
  trace?: TraceContext | undefined;
}

/** The whole MCP result or a refusal, and what was found on the way, drift for instance. */
export type CallOutcome = ToolOutcome & { diagnostics: Diagnostic[] };

export interface OneToolOptions
  extends OneCallReview, Pick<ToolCallerOptions, "checkInput" | "checkOutput" | "checkOwnInput"> {
  /** As in `CallApprovalOptions`. */
  viewOf: (tool: LockedTool) => CallView;
  /** What the call goes through on its way to the server. */
  gate: (run: GatedRun) => CallGate;
  lock: LiveLock;
  /** What may be called now. */
  callable: (access: Access) => Lockfile;
  /** When drift stops a call of that manifest. */
  refusalOf: (manifest: Manifest) => Refusal;
  /** Says why the server must not be started. */
  admitStart: AdmitStart;
}

/** Makes calls that get every check of a script's call: drift, policy, approval, schema. */
export function makeOneToolCall(options: OneToolOptions): (request: CallRequest) => Promise<CallOutcome> {
  const { lock, callable, refusalOf, audience } = options;

  /** The error among the findings, if there is one, as the outcome of the call. */
  const refuseBy = (diagnostics: Diagnostic[]): CallOutcome | undefined => {
    const stop = diagnostics.find(({ severity }) => severity === "error");
    return stop === undefined
      ? undefined
      : { ok: false, error: toRefusal("ToolCallError", stop.message, stop.hint ?? "Try again."), diagnostics };
  };

  return async (request) => {
    const { serverId, toolName, input, access, approve, signal, emit, ask, approvalBy, enterCall } = request;
    const call = { serverId, toolName, input };
    const onSign = request.wantsProgress
      ? (sign: CallSign) => emit?.({ type: "call-progress", serverId, toolName, number: 1, sign })
      : undefined;
    const diagnostics: Diagnostic[] = [];
    if (callable(access).servers.has(serverId)) {
      const unstarted = await options.admitStart([serverId], { approve, access, signal });
      if (unstarted !== undefined) {
        const hint = unstarted.hint ?? "Try again.";
        return { ok: false, error: toRefusal("ToolCallError", unstarted.message, hint), diagnostics: [unstarted] };
      }
      const known = manifestOf(callable(access), serverId, toolName);
      diagnostics.push(...(await lock.look([serverId], refusalOf(known), access)));
    }
    const drifted = refuseBy(diagnostics);
    if (drifted !== undefined) return drifted;

    const lockfile = callable(access);
    const seen = lock.seen([serverId], access);
    const manifest = manifestOf(lockfile, serverId, toolName);
    const tool = findOperation(lockfile.servers.get(serverId), toolName);
    const entry: ToolToApprove = tool === undefined ? { serverId, toolName } : toEntry(serverId, tool);
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const rules: CallRules = { lockfile, manifest, access, granted: [entry], checkInput: options.checkInput, report };
    // No question about a call that is refused anyway.
    const find = makeToolSearch(rules);
    const admitted = admitCall(call, rules, find);
    if ("error" in admitted) {
      reportCall(emit, call, lockfile, find)?.({ outcome: "refused", code: admitted.error.errorClass });
      if (tool === undefined) diagnostics.push(...lock.describePending([serverId], access));
      return { ok: false, error: admitted.error, diagnostics };
    }
    const found = await approveOneCall(options, request, { entry, tool: admitted.tool, manifest });
    diagnostics.push(...found.diagnostics);
    const refused = refuseBy(diagnostics);
    if (refused !== undefined) return refused;
    const outcome = await makeToolCaller({
      ...options,
      ...rules,
      connectionOf: options.gate({ lockfile, manifest, access, granted: found.granted, seen, audience, report }),
      ...{ emit, enterCall },
      listenTo: makeRunQuestions({ ask, access, hold: () => () => undefined, emit }),
      approvals: asksEach(access)
        ? makeCallApprovals({ ...options, approve, access, emit, report, approvalBy, hold: () => () => undefined })
        : undefined,
      runSignal: signal,
      caller: request.caller,
    })(call, signal ?? new AbortController().signal, { onSign });
    return { ...outcome, diagnostics };
  };
}

/** The manifest of one call; empty where there is no such tool. */
function manifestOf(lockfile: Lockfile, serverId: string, toolName: string): Manifest {
  const tool = findOperation(lockfile.servers.get(serverId), toolName);
  if (tool === undefined) return { tools: [] };
  const { exportName, integrity } = tool;
  return { tools: [{ serverId, toolName, exportName, integrity }] };
}
