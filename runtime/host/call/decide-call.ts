import { findMistakenChange } from "./checks/changed-input.ts";
import { type CallView, withView } from "../../schemas/run/describe-call.ts";
import { setImmediate as turn } from "node:timers/promises";
import type { Access } from "../../schemas/access/access.ts";
import type { Audience } from "../../schemas/audience.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Integrity, integrityOf } from "../../schemas/lock/integrity.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { CallChange, ToolCall, CallError } from "../../schemas/lock/tools.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type {
  AnsweredBy,
  ApprovalRequest,
  ApprovalVerdict,
  Approve,
  CallDecision,
  ApprovalWay,
} from "../../schemas/run/approval.ts";
import type { Emit, CallVerdict, RunEvent } from "../../schemas/run/events.ts";
import type { Admitted } from "./checks/admit-call.ts";
import { describeMissingApproval } from "./checks/describe-missing-approval.ts";
import type { OutputCheck } from "./checks/output-check.ts";
import { toRefusal } from "./checks/refuse.ts";
import { toEntry } from "./checks/review-manifest.ts";
import { approvalOf, seekDecision } from "./checks/seek-approval.ts";

/** Who is asked about the calls of one run, and what hears of it. */
export interface CallApprovalOptions {
  approve: Approve;
  askOperator?: Approve | undefined;
  access: Pick<Access, "mayApprove">;
  checkOutput: OutputCheck;
  /** Stops the time of the run until the returned function is called. */
  hold: () => () => void;
  /** Receives a diagnostic for the answer where no person could be asked. */
  report: (diagnostic: Diagnostic) => void;
  audience: Audience;
  emit?: Emit<RunEvent> | undefined;
  approvalBy?: ApprovalWay | undefined;
  /** Whether a person has allowed a call with an earlier one of its tool; what was said here, unless given. */
  isGranted?: ((call: ToolCall & { number: number }) => boolean) | undefined;
  /** The digests of the questions about a call that a person has answered before; none unless given. */
  answered?: ((number: number) => readonly string[] | undefined) | undefined;
  /** What the lines about a call of a tool need beside it. */
  viewOf?: ((tool: LockedTool) => CallView) | undefined;
}

/** What becomes of a call: it is made, with the input that a person has given it where that is `changed`; or it has a result, or an error. */
export type ApprovedCall =
  | { kind: "made"; admitted: Admitted; changed?: CallChange }
  | { kind: "answered"; result: JsonObject; changed: CallChange }
  | { kind: "refused"; error: CallError };

/** A call that nothing has refused, or the error or the result of its refusal. */
export type CheckedCall = Admitted | { error: CallError } | { failed: JsonObject };

/** The approvals of the calls of one run (`policy.askEach`). */
export interface CallApprovals {
  /**
   * Asks a person about one call. It never rejects.
   * @param number counts the calls of the run, from 1
   * @param admit holds the call with another input against all rules
   */
  seek(
    call: ToolCall & { number: number },
    admitted: Admitted,
    admit: (input: JsonValue) => CheckedCall | Promise<CheckedCall>,
    signal: AbortSignal,
  ): Promise<ApprovedCall>;
  /** Whether a person has decided about exactly this call before: that holds, also where the policy does not ask any more. */
  isDecided(call: ToolCall, admitted: Admitted): boolean;
  /** Counts a call that is being made: while there is one, the time of the run goes on. Returns what ends it. */
  working(toolName: string): () => void;
}

/** A person does not answer more. */
const MOST_QUESTIONS = 100;
/** How often a person is asked again whose answer does not fit. */
const MOST_MISFITS = 3;

export function makeCallApprovals(options: CallApprovalOptions): CallApprovals {
  const { emit, approvalBy } = options;
  /** By `SERVER/TOOL`. */
  const made = new Map<string, number>();
  const grantedForRun = new Set<LockedTool>();
  const time = keepTime(options.hold);
  /** Of the calls that wait now, and the calls that have waited beside them. */
  let together = 0;
  let questions = 0;

  const ask = async (
    position: number,
    ...[{ serverId, toolName, number, place }, admitted, admit, signal]: Parameters<CallApprovals["seek"]>
  ): Promise<ApprovedCall> => {
    const { tool, input } = admitted;
    const view = options.viewOf?.(tool);
    const shown = digestOf({ serverId, toolName }, admitted);
    const tell = (verdict: CallVerdict, by?: AnsweredBy, changed?: JsonValue): void =>
      emit?.({
        ...{ type: "call-reviewed", serverId, toolName, number, shown, verdict, ...approvalOf(by, approvalBy) },
        ...withoutUndefined({ input: changed === undefined ? undefined : () => changed }),
      });
    const requestOf = (problem: string | undefined): ApprovalRequest => ({
      tools: [toEntry(serverId, tool)],
      digest: shown,
      call: withView(
        {
          // A copy: what is asked with cannot be changed on its way.
          ...{ number, input: structuredClone(input), position, made, ...withoutUndefined({ place, problem }) },
          get total() {
            return together;
          },
        },
        view,
      ),
    });
    for (let problem: string | undefined, times = 0; ; times += 1) {
      questions += 1;
      const isTooMuch = questions > MOST_QUESTIONS || times > MOST_MISFITS;
      const decision = isTooMuch ? "closed" : toDecision(await seekDecision(requestOf(problem), options, signal));
      if (typeof decision === "string" || decision.verdict === "refused") {
        if (typeof decision === "string") tell(decision);
        else tell("refused", decision.by);
        return refuse(`${serverId}/${toolName}`, decision, options);
      }
      const applied = await apply(decision, admitted, admit, options.checkOutput);
      if (typeof applied === "string") {
        problem = applied;
        continue;
      }
      const isForRun = decision.verdict === "granted" && decision.forRun === true;
      if (isForRun) grantedForRun.add(tool);
      if (decision.verdict === "changed") tell("changed", decision.by, decision.input);
      else tell(isForRun ? "granted-for-run" : decision.verdict, decision.by);
      return applied;
    }
  };

  return {
    async seek(call, admitted, admit, signal) {
      if (options.isGranted?.(call) ?? grantedForRun.has(admitted.tool)) return { kind: "made", admitted };
      time.waits();
      together += 1;
      const position = together;
      // Calls that a script makes side by side are counted before the first of them is shown.
      await turn();
      try {
        return await ask(position, call, admitted, admit, signal);
      } finally {
        if (time.goesOn() === 0) together = 0;
      }
    },
    isDecided: (call, admitted) => options.answered?.(call.number ?? 1)?.includes(digestOf(call, admitted)) ?? false,
    working(name) {
      made.set(name, (made.get(name) ?? 0) + 1);
      return time.works();
    },
  };
}

function digestOf(
  { serverId, toolName }: Pick<ToolCall, "serverId" | "toolName">,
  { tool, input, bundledIntegrity = tool.integrity }: Admitted,
): Integrity {
  return integrityOf([serverId, toolName, bundledIntegrity, input]);
}

/** The time of a run stands still only while calls wait and nothing else of it goes on. */
function keepTime(hold: CallApprovalOptions["hold"]) {
  let waiting = 0;
  let working = 0;
  let resume: (() => void) | undefined;
  const look = (): void => {
    const isStill = waiting > 0 && working === 0;
    if (isStill) resume ??= hold();
    else {
      resume?.();
      resume = undefined;
    }
  };
  return {
    waits(): void {
      waiting += 1;
      look();
    },
    /** Gives how many calls wait still. */
    goesOn(): number {
      waiting -= 1;
      look();
      return waiting;
    },
    works(): () => void {
      working += 1;
      look();
      return () => {
        working -= 1;
        look();
      };
    },
  };
}

/** What a decision comes to, or why it cannot be used. */
async function apply(
  decision: Exclude<CallDecision, { verdict: "refused" }>,
  admitted: Admitted,
  admit: (input: JsonValue) => CheckedCall | Promise<CheckedCall>,
  checkOutput: OutputCheck,
): Promise<ApprovedCall | string> {
  if (decision.verdict === "granted") return { kind: "made", admitted };
  if (decision.verdict === "changed") {
    const again = await admit(decision.input);
    if ("error" in again) return `${again.error.message} ${again.error.hint}`;
    if ("failed" in again) return "The tool's own check refuses it.";
    const mistake = findMistakenChange(admitted.tool.inputSchema, admitted.input, decision.input);
    if (mistake !== undefined) return mistake;
    const unshown = findUnshown(admitted.input, decision.input, again.input);
    if (unshown !== undefined) return unshown;
    return { kind: "made", admitted: again, changed: { kind: "input", input: again.input } };
  }
  const result = toResult(admitted.tool, decision.result);
  return checkOutput(admitted.tool, result) ?? { kind: "answered", result, changed: { kind: "result" } };
}

/** What the tool's own check has put in the place of what a person has written, and the person has not seen. */
function findUnshown(shown: JsonObject, written: JsonObject, made: JsonObject): string | undefined {
  const print = (value: JsonValue | undefined): string => (typeof value === "string" ? value : JSON.stringify(value));
  const isSeen = (key: string): boolean =>
    [shown, written].some((seen) => Object.hasOwn(seen, key) && print(seen[key]) === print(made[key]));
  const unseen = Object.keys(made).find((key) => !isSeen(key));
  if (unseen === undefined) return undefined;
  return `The tool's own check makes ${JSON.stringify(made[unseen])} of "${unseen}": write it so.`;
}

/** The result of MCP that a binding makes this value of. */
export function toResult(tool: LockedTool, value: JsonValue): JsonObject {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const content = [{ type: "text", text }];
  const isStructured = isJsonObject(value) || (tool.outputSchema !== undefined && typeof value !== "string");
  return isStructured ? { content, structuredContent: value } : { content };
}

function refuse(
  name: string,
  decision: Refused,
  { audience, report }: Pick<CallApprovalOptions, "audience" | "report">,
): ApprovedCall {
  // Without a reason it may be a client of an agent that shows no form, and declines in place of a person.
  if (typeof decision === "object" && (decision.reason !== undefined || audience !== "agent")) {
    const { reason = "" } = decision;
    const message = `A person has refused this call of ${name}${reason === "" ? "." : `: ${reason}`}`;
    const hint = "Do not make it again. Do without it, or ask the user first.";
    return { kind: "refused", error: toRefusal("ApprovalRefusedError", message, hint, { reason }) };
  }
  if (decision === "cancelled")
    return { kind: "refused", error: toRefusal("ToolCallError", "The run was cancelled.", "Run it again.") };
  const verdict = typeof decision === "object" ? decision.verdict : decision;
  const {
    message,
    hint = "Do without it.",
    ...missing
  } = describeMissingApproval({ kind: "each", tools: name }, verdict, audience);
  report({ ...missing, message, hint, severity: "warning", errorClass: "ApprovalRefusedError" });
  return { kind: "refused", error: toRefusal("ApprovalRefusedError", message, hint, { reason: "" }) };
}

type Refused = { verdict: "refused"; reason?: string } | Exclude<ApprovalVerdict, "granted"> | "cancelled";

/** A plain verdict as a decision. */
function toDecision(
  decision: ApprovalVerdict | CallDecision | "cancelled",
): CallDecision | Exclude<ApprovalVerdict, "granted" | "refused"> | "cancelled" {
  return decision === "granted" || decision === "refused" ? { verdict: decision } : decision;
}

/** What refuses each call that needs an approval, where there is no way to ask. */
export function makeUnaskedApprovals({
  access,
  checkOutput,
  report,
  audience = "person",
}: Pick<CallApprovalOptions, "checkOutput" | "report"> & {
  access: Access;
  audience?: Audience | undefined;
}): CallApprovals {
  const approve = async () => "unavailable" as const;
  return makeCallApprovals({ approve, access, checkOutput, report, audience, hold: () => () => undefined });
}

/** Whether an access asks about single calls. */
export function asksEach({ policies, asking = [] }: Pick<Access, "policies" | "asking">): boolean {
  return asking.length > 0 || policies.some(({ askEach = [] }) => askEach.length > 0);
}
