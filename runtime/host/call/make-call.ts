import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import { isRepeatable } from "../../../schemas/access/policy.ts";
import type { CallChange, CallError, ToolCall } from "../../../schemas/lock/tools.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import type { Known } from "../../sandbox/pool/handle-call.ts";
import { admitCall, type CheckedCall, type FindRuledTool, makeToolSearch } from "../checks/admit-call.ts";
import { makeMisspeltReport } from "../checks/input-check.ts";
import type { OwnInput } from "../checks/own-input.ts";
import { makeResultCheck } from "../checks/check-result.ts";
import { visibleResult } from "../checks/visible-resources.ts";
import { failUnsent, isBroken, toToolError } from "../connection-tool-error.ts";
import { DriftRefusal } from "../lock/guard-connections.ts";
import { makeRunQuestions } from "../questions/run-questions.ts";
import type { CallHost, Run } from "../run.ts";
import { makeDecisions } from "./decide-call.ts";
import { reportCall, type SettleCall, toAnsweredOutcome, toFailedOutcome } from "./report-call.ts";
import { type CallToMake, sendCall } from "./send-call.ts";

/**
 * The whole MCP result of a call, also of a failed tool (`isError`), or the reason for its absence. `checkLater` is set if the
 * result contains unparsed text.
 */
export type ToolOutcome =
  | {
      ok: true;
      result: JsonObject;
      checkLater?: (() => void) | undefined;
      /** Where the tool failed: what to do, if it is known better than by its message. */
      hint?: string | undefined;
      /** What a person has made of the call. */
      changed?: CallChange | undefined;
    }
  | {
      ok: false;
      error: CallError;
      /** The tool has said nothing: the connection to its server broke. */
      isBroken?: boolean | undefined;
    };

/** Checks and makes one call. It never throws. */
export type MakeCall = (call: CallToMake, known?: Known) => Promise<ToolOutcome>;

/**
 * Makes what makes the calls of a run: admit, decide, guard, send, check, in this order.
 * @param leavesText as in `CallOptions`
 */
export function makeCalls(host: CallHost, run: Run, leavesText = false): MakeCall {
  const { lockfile, request } = run;
  const { access, emit } = request;
  const find = makeToolSearch(run);
  const guard = host.guard(run);
  const listenTo = makeRunQuestions(run);
  const decisions = makeDecisions(host, run);
  const checkResult = makeResultCheck(host, run);
  const reportMisspelt = makeMisspeltReport(run.report);
  const noteSent = makeSentNote(run);
  return async (call, known) => {
    const { serverId, toolName, number, signal, onSign } = call;
    const listener = listenTo(serverId, onSign && ((message) => onSign({ kind: "log", ...message })));
    const admit = (input: JsonValue) => admitChecked({ serverId, toolName, input, number }, host, run, find);
    const admission = admit(call.input);
    const admitted = admission instanceof Promise ? await admission : admission;
    const checked = "input" in admitted ? admitted.input : call.input;
    const settle = emit && reportCall(emit, { serverId, toolName, number, input: checked }, lockfile, find);
    if (!("input" in admitted)) return endUnmade(admitted, settle);
    reportMisspelt(admitted.tool, call);
    const instead = known?.instead?.(admitted.tool, toCall(call, admitted.input), admitted.asks);
    if (instead !== undefined) {
      settle?.({ outcome: "skipped" });
      return { ok: true, result: instead };
    }
    const deciding = decisions.decide({ call, admitted, admit, known });
    const approved = deciding instanceof Promise ? await deciding : deciding;
    if (approved.kind === "refused") return endUnmade(approved, settle);
    if (approved.kind === "answered") {
      settle?.({ outcome: "skipped" });
      return { ok: true, result: approved.result, changed: approved.changed };
    }
    const { changed } = approved;
    const { tool, input, taken } = approved.admitted;
    const end = decisions.working(serverId, toolName, known);
    try {
      const assertDue = known?.beforeSend && (await known.beforeSend(input).catch(failUnsent));
      const guarding = guard(serverId);
      const connection = guarding instanceof Promise ? await guarding : guarding;
      request.signal?.throwIfAborted();
      assertDue?.();
      noteSent(tool, call);
      const { server } = find(serverId, toolName) ?? {};
      const sent = await sendCall(call, input, server, run, connection, { taken, listener, leavesText });
      const result = visibleResult(call, sent, access);
      settle?.(toAnsweredOutcome(result), result);
      const hint = listener.unanswered();
      if (result["isError"] === true) return { ok: true, result, hint, changed };
      const check = (): void => checkResult(tool, { result, sent }, serverId);
      if (printedContent(result) !== undefined)
        return { ok: true, result, changed, checkLater: () => signal.aborted || check() };
      check();
      return { ok: true, result, changed };
    } catch (error) {
      if (error instanceof DriftRefusal) {
        settle?.({ outcome: "refused", code: error.error.errorClass });
        return { ok: false, error: error.error };
      }
      settle?.(toFailedOutcome(error, signal.aborted || request.signal?.aborted === true));
      const failure = toToolError(error, call, host.audience);
      const hint = listener.unanswered() ?? failure.hint;
      return { ok: false, error: { ...failure, hint }, isBroken: isBroken(error) };
    } finally {
      end?.();
    }
  };
}

function toCall({ serverId, toolName, number, place }: ToolCall, input: JsonObject): ToolCall {
  return { serverId, toolName, input, number, place };
}

/** Holds a call against all rules, and its input against the check of an own tool: what that makes of it is what all others see. */
function admitChecked(
  call: ToolCall,
  host: CallHost,
  run: Run,
  find: FindRuledTool,
): CheckedCall | Promise<CheckedCall> {
  const admitted = admitCall(call, host, run, find);
  if ("error" in admitted) return admitted;
  const own = host.checkOwnInput?.(call, admitted.input, admitted.tool);
  if (own === undefined) return admitted;
  const join = (checked: OwnInput): CheckedCall => ("failed" in checked ? checked : { ...admitted, ...checked });
  return own instanceof Promise ? own.then(join) : join(own);
}

/** A call that is not made: it is refused, or its tool's own check has failed. */
function endUnmade(unmade: { error: CallError } | { failed: JsonObject }, settle: SettleCall | undefined): ToolOutcome {
  if ("failed" in unmade) {
    settle?.(toAnsweredOutcome(unmade.failed), unmade.failed);
    return { ok: true, result: unmade.failed };
  }
  settle?.({ outcome: "refused", code: unmade.error.errorClass });
  return { ok: false, error: unmade.error };
}

/** Notes the first call of each tool that may not be made a second time. */
function makeSentNote({ unrepeatable }: Run) {
  const noted = new Set<LockedTool>();
  return (tool: LockedTool, { serverId, toolName }: ToolCall): void => {
    if (noted.has(tool) || isRepeatable(tool)) return;
    noted.add(tool);
    unrepeatable.add(`${serverId}/${toolName}`);
  };
}
