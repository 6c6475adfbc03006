import { isProgram } from "../../schemas/config/program-server.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { isRepeatable } from "../../schemas/access/policy.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { CallChange, ToolCall, CallError } from "../../schemas/lock/tools.ts";
import { type Admitted, admitCall, type CallRules, type FindRuledTool, makeToolSearch } from "./checks/admit-call.ts";
import { ConnectionError, type ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";
import { type ApprovedCall, type CallApprovals, type CheckedCall, makeUnaskedApprovals } from "./call-approvals.ts";
import { accessVerdict } from "../../schemas/access/access.ts";
import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { changedNumberOf } from "@codemode/runtime/connections/changed-numbers";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { toToolError, UnsentCall } from "./connection-tool-error.ts";
import type { DryRun } from "./checks/dry-run.ts";
import { type CallGate, DriftRefusal } from "./lock/make-call-gate.ts";
import { callBack } from "../../schemas/run/call-back.ts";
import { CALL_NUMBER_META } from "../../schemas/run/run-key.ts";
import type { CallTracing, Emit, OnCallSign, RunEvent } from "../../schemas/run/events.ts";
import { makeProgressGate } from "./progress-gate.ts";
import { reportCall, type SettleCall, toAnsweredOutcome, toFailedOutcome } from "./report-call.ts";
import type { ListenToCall } from "./questions/run-questions.ts";
import { makeMisspeltReport } from "./checks/input-check.ts";
import type { OutputCheck } from "./checks/output-check.ts";
import { copyOf, type OwnInput, type OwnInputCheck } from "./checks/own-input.ts";
import { visibleResult } from "./checks/visible-resources.ts";

/** Called with a call that is about to be made, and the input that it is made with. */
export type BeforeCall = (call: ToolCall, input: JsonObject) => Promise<void | (() => void)>;

/** As `Tracing.enter`, of one run. */
export type EnterCall = (number: number) => CallTracing | undefined;

/** What calls are held against, and by what they are made. */
export interface ToolCallerOptions extends CallRules {
  /** Connects on first use; rejects with a `ConnectionError`, or a `DriftRefusal`. */
  connectionOf: CallGate;
  checkOutput: OutputCheck;
  checkOwnInput?: OwnInputCheck | undefined;
  /** Where it is given, not every call that is admitted is made. */
  dryRun?: DryRun | undefined;
  /** Waited for before a call is made; what it returns throws right before the request where the call must not be made any more. */
  beforeCall?: BeforeCall | undefined;
  /** Called with the first call of each tool that is sent and may not be sent a second time. */
  onUnrepeatable?: ((call: ToolCall) => void) | undefined;
  /** Hears of every call, including refused ones. */
  emit?: Emit<RunEvent> | undefined;
  /** Takes part in the request of the call with that number. */
  enterCall?: EnterCall | undefined;
  /** Goes into `_meta` of every call. */
  meta?: JsonObject | undefined;
  /** Of the run: when it is aborted, no call is made any more. */
  runSignal?: AbortSignal | undefined;
  /** How long a call may take that makes progress all the time: as long as the run. */
  maxCallMs?: number | undefined;
  /** Hears what servers say and ask during a call; without it questions are declined. */
  listenTo?: ListenToCall | undefined;
  /** For whom the hints of errors are; a person unless given. */
  audience?: Audience | undefined;
  /** Who the run is for, for the program's own tools. */
  caller?: RunCaller | undefined;
  /** Asks a person about single calls; without it such calls are refused. */
  approvals?: CallApprovals | undefined;
}

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

export interface ToolCallSettings {
  /** As in `CallOptions`. */
  leavesText?: boolean | undefined;
  /** Called while the server is at work, not too often. */
  onSign?: OnCallSign | undefined;
}

/** Checks and makes one call. It never throws. */
export type ToolCaller = (call: ToolCall, signal: AbortSignal, settings?: ToolCallSettings) => Promise<ToolOutcome>;

export function makeToolCaller(options: ToolCallerOptions): ToolCaller {
  const { emit, runSignal, maxCallMs, audience, caller } = options;
  const report = makeResultReport(options);
  const reportMisspelt = makeMisspeltReport(options.report);
  const find = makeToolSearch(options);
  const noteSent = makeSentReport(options);
  const decide = makeDecision(options);
  return async (call, signal, { leavesText = false, onSign } = {}) => {
    const listener = options.listenTo?.(call.serverId, onSign && ((message) => onSign({ kind: "log", ...message })));
    const admit = (input: JsonValue) => admitChecked({ ...call, input }, options, find);
    const admission = admit(call.input);
    const admitted = admission instanceof Promise ? await admission : admission;
    const checked = "input" in admitted ? admitted.input : call.input;
    const settle = emit && reportCall(emit, { ...call, input: checked }, options.lockfile, find);
    if (!("input" in admitted)) return endUnmade(admitted, settle);
    reportMisspelt(admitted.tool, call);
    const placeholder = options.dryRun?.answer(admitted.tool, { ...call, input: admitted.input }, admitted.asks);
    if (placeholder !== undefined) {
      settle?.({ outcome: "skipped" });
      return { ok: true, result: placeholder };
    }
    const deciding = decide(admitted, call, admit, signal);
    const approved = deciding instanceof Promise ? await deciding : deciding;
    if (approved.kind === "refused") return endUnmade(approved, settle);
    if (approved.kind === "answered") {
      settle?.({ outcome: "skipped" });
      return { ok: true, result: approved.result, changed: approved.changed };
    }
    const { changed } = approved;
    const { tool, input, taken } = approved.admitted;
    const end = options.approvals?.working(`${call.serverId}/${call.toolName}`);
    try {
      const assertDue = options.beforeCall && (await options.beforeCall(call, input).catch(failUnsent));
      const passing = options.connectionOf(call.serverId);
      const connection = passing instanceof Promise ? await passing : passing;
      runSignal?.throwIfAborted();
      assertDue?.();
      noteSent(tool, call);
      const tracing = options.enterCall?.(call.number ?? 1);
      const send = () =>
        connection.callTool(call.toolName, input, {
          signal,
          taken,
          leavesText,
          meta: joinMeta(options.meta, tracing?.meta, call),
          listener,
          onProgress: onSign && makeProgressGate(onSign),
          ...{ maxTotalMs: maxCallMs, caller },
        });
      const enterContext = contextOf(find(call.serverId, call.toolName)?.server, caller);
      const sent = await enterContext(() => (tracing === undefined ? send() : tracing.within(send)));
      const result = visibleResult(call, sent, options.access);
      settle?.(toAnsweredOutcome(result), result);
      const hint = listener?.unanswered();
      if (result["isError"] === true) return { ok: true, result, hint, changed };
      const check = (): void => report(tool, result, sent, call);
      if (printedContent(result) !== undefined)
        return { ok: true, result, changed, checkLater: () => signal.aborted || check() };
      check();
      return { ok: true, result, changed };
    } catch (error) {
      if (error instanceof DriftRefusal) {
        settle?.({ outcome: "refused", code: error.error.errorClass });
        return { ok: false, error: error.error };
      }
      settle?.(toFailedOutcome(error, signal.aborted || runSignal?.aborted === true));
      const failure = toToolError(error, call, audience);
      const hint = listener?.unanswered() ?? failure.hint;
      return { ok: false, error: { ...failure, hint }, isBroken: isBroken(error) };
    } finally {
      end?.();
    }
  };
}

/** Holds a call against all rules, and its input against the check of an own tool: what that makes of it is what all others see. */
function admitChecked(
  call: ToolCall,
  options: ToolCallerOptions,
  find: FindRuledTool,
): CheckedCall | Promise<CheckedCall> {
  const admitted = admitCall(call, options, find);
  if ("error" in admitted) return admitted;
  const own = options.checkOwnInput?.(call, admitted.input, admitted.tool);
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

/** What becomes of a call that may need an approval: a person is asked where the policy or the tool says so. */
function makeDecision(options: ToolCallerOptions) {
  const isDecided = options.approvals?.isDecided ?? (() => false);
  return (
    admitted: Admitted,
    call: ToolCall,
    admit: (input: JsonValue) => CheckedCall | Promise<CheckedCall>,
    signal: AbortSignal,
  ): ApprovedCall | Promise<ApprovedCall> => {
    const ask = (): Promise<ApprovedCall> => {
      const { seek } = options.approvals ?? makeUnaskedApprovals(options);
      return seek({ ...call, number: call.number ?? 1 }, admitted, admit, signal);
    };
    if (isDecided(call, admitted)) return ask();
    if (admitted.asks !== true) return { kind: "made", admitted };
    return needsApproval(options, call, admitted).then((asks) => (asks ? ask() : { kind: "made", admitted }));
  };
}

/** An own tool may say that a call of it needs no approval; one that fails to say it has not. */
async function needsApproval(
  { caller, access }: ToolCallerOptions,
  call: ToolCall,
  { tool, input, taken }: Admitted,
): Promise<boolean> {
  const { needsApproval: ask, within = enter, onFailed } = caller ?? {};
  // What the policy asks about, no tool can allow.
  if (ask === undefined || accessVerdict({ ...access, asking: undefined }, call.serverId, tool) !== "allow")
    return true;
  const shown = copyOf(taken === undefined ? input : taken.value);
  return callBack("needsApproval", () => within(() => ask(call, shown)), true, onFailed);
}

/** A socket that is kept for later requests must not hold the context of this one; the program's own tools are to see it. */
function contextOf(server: LockedServer | undefined, caller: RunCaller | undefined): typeof enter {
  return server !== undefined && isProgram(server) ? (caller?.within ?? enter) : outsideOfRequests;
}

const enter = <Value>(work: () => Value): Value => work();

/** Whether it is not known what the server has done with a call. */
function isBroken(error: unknown): boolean {
  return error instanceof ConnectionError && BROKEN.has(error.kind);
}

const BROKEN: ReadonlySet<ConnectionErrorKind> = new Set([
  "closed",
  "http-error",
  "interrupted",
  "protocol",
  "session-lost",
]);

function failUnsent(error: unknown): never {
  throw error instanceof CodemodeError ? new UnsentCall(error) : error;
}

/** Tells of the first call of each tool that may not be made a second time. */
function makeSentReport({ onUnrepeatable }: ToolCallerOptions) {
  const reported = new Set<LockedTool>();
  return (tool: LockedTool, call: ToolCall): void => {
    if (onUnrepeatable === undefined || reported.has(tool) || isRepeatable(tool)) return;
    reported.add(tool);
    onUnrepeatable(call);
  };
}

/** Says what is odd about a result; `sent` is what came of the server. */
function makeResultReport(options: ToolCallerOptions) {
  const reportMismatch = makeMismatchReport(options);
  const reportChanged = makeChangeReport(options);
  return (tool: LockedTool, result: JsonObject, sent: JsonObject, call: ToolCall): void => {
    reportMismatch(tool, result, call);
    reportChanged(tool, sent, call);
  };
}

/** A result that is not what its schema says is passed on all the same: the answer names it, once for each tool. */
function makeMismatchReport({ checkOutput, report }: ToolCallerOptions) {
  const reported = new Set<LockedTool>();
  return (tool: LockedTool, result: JsonObject, { serverId }: ToolCall): void => {
    if (reported.has(tool)) return;
    const mismatch = checkOutput(tool, result);
    if (mismatch === undefined) return;
    reported.add(tool);
    report({
      severity: "warning",
      code: "OUTPUT_MISMATCH",
      message: `The result of ${serverId}/${tool.name} does not match its output schema: ${mismatch}.`,
      hint: `Do not rely on its output type; "outputs" in the configuration can replace the schema.`,
    });
  };
}

/** JavaScript has no integers beyond 2^53: what a server wrote is another number in the script, which is said once for each tool. */
function makeChangeReport({ report }: ToolCallerOptions) {
  const reported = new Set<LockedTool>();
  return (tool: LockedTool, result: JsonObject, { serverId }: ToolCall): void => {
    if (reported.has(tool)) return;
    const changed = changedNumberOf(result);
    if (changed === undefined) return;
    reported.add(tool);
    const { pointer, written, read } = changed;
    report({
      severity: "warning",
      code: "NUMBER_CHANGED",
      message: `The result of ${serverId}/${tool.name} has the number ${shorten(written)} at "${shorten(pointer)}", which JavaScript reads as ${read}.`,
      hint: "Do not use it as an id: let the server give it as text. @codemode/openapi does so with --int64 string.",
    });
  };
}

function shorten(text: string): string {
  return oneLine(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

/** What a call has in its `_meta`: of its run, its own number, and of what observes it. */
function joinMeta(
  ofRun: JsonObject | undefined,
  ofCall: JsonObject | undefined,
  { number }: ToolCall,
): JsonObject | undefined {
  if (ofRun === undefined) return ofCall;
  const meta = Object.assign({}, ofRun);
  if (number !== undefined) meta[CALL_NUMBER_META] = number;
  return ofCall === undefined ? meta : Object.assign(meta, ofCall);
}
