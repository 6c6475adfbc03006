import { setImmediate as turn } from "node:timers/promises";
import { accessVerdict, type Access } from "../../../schemas/access/access.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { type Integrity, integrityOf } from "../../../schemas/lock/integrity.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { CallChange, CallError, ToolCall } from "../../../schemas/lock/tools.ts";
import type { AnsweredBy, ApprovalRequest, ApprovalVerdict, CallDecision } from "../../../schemas/run/approval.ts";
import { callBack } from "../../../schemas/run/call-back.ts";
import { type CallView, withView } from "../../../schemas/run/describe-call.ts";
import type { CallVerdict } from "../../../schemas/run/events.ts";
import type { Known } from "../../sandbox/pool/handle-call.ts";
import type { Admitted, CheckedCall } from "../checks/admit-call.ts";
import { findMistakenChange } from "../checks/changed-input.ts";
import type { OutputCheck } from "../checks/output-check.ts";
import { copyOf } from "../checks/own-input.ts";
import { toEntry } from "../checks/review-manifest.ts";
import { approvalOf, inRun, seekDecision } from "../checks/seek-approval.ts";
import type { CallHost, Requester, Run } from "../run.ts";
import { refuseCall } from "./refuse-call.ts";

/** What becomes of a call: it is made, with the input that a person has given it where that is `changed`; or it has a result, or an error. */
export type DecidedCall =
  | { kind: "made"; admitted: Admitted; changed?: CallChange }
  | { kind: "answered"; result: JsonObject; changed: CallChange }
  | { kind: "refused"; error: CallError };

type CallToDecide = ToolCall & { signal: AbortSignal };

/** Holds a call with another input against all rules. */
type Admit = (input: JsonValue) => CheckedCall | Promise<CheckedCall>;

/** A call that passes all rules, and may need an approval. */
interface Deciding {
  call: CallToDecide;
  admitted: Admitted;
  admit: Admit;
  known: Known | undefined;
}

/** The decisions about the calls of one run (`policy.askEach`). */
export interface Decisions {
  /** Decides about one call: a person is asked where the policy or the tool says so, or has answered before. It never rejects. */
  decide(deciding: Deciding): DecidedCall | Promise<DecidedCall>;
  /** Counts a call that is being made: while there is one, the time of the run goes on. Returns what ends it; undefined in a run that asks about no call. */
  working(serverId: string, toolName: string, known?: Known): (() => void) | undefined;
}

/** A person does not answer more. */
const MOST_QUESTIONS = 100;
/** How often a person is asked again whose answer does not fit. */
const MOST_MISFITS = 3;

/** Makes what decides about the calls of a run. */
export function makeDecisions(host: CallHost, run: Run): Decisions {
  const { request } = run;
  /** By `SERVER/TOOL`. */
  const made = new Map<string, number>();
  const grantedForRun = new Set<LockedTool>();
  const time = keepTime(run.hold);
  const mayAsk = asksEach(request.access);
  /** Of the calls that wait now, and the calls that have waited beside them. */
  let together = 0;
  let questions = 0;

  const ask = async (deciding: Deciding, position: number): Promise<DecidedCall> => {
    const { call, admitted, admit, known } = deciding;
    const { serverId, toolName, number = 1, signal } = call;
    const shown = digestOf(call, admitted);
    const approvers = approversOf(request, known);
    const tell = (verdict: CallVerdict, by?: AnsweredBy, changed?: JsonValue): void =>
      request.emit?.({
        ...{ type: "call-reviewed", serverId, toolName, number, shown, verdict, ...approvalOf(by, request.approvalBy) },
        ...withoutUndefined({ input: changed === undefined ? undefined : () => changed }),
      });
    const requestOf = (problem: string | undefined): ApprovalRequest => {
      const place = { position, made, together: () => together };
      return toRequest(deciding, place, { problem, view: host.viewOf?.(admitted.tool) });
    };
    for (let problem: string | undefined, times = 0; ; times += 1) {
      questions += 1;
      const isTooMuch = questions > MOST_QUESTIONS || times > MOST_MISFITS;
      const decision = isTooMuch ? "closed" : toDecision(await seekDecision(requestOf(problem), approvers, signal));
      if (typeof decision === "string" || decision.verdict === "refused") {
        if (typeof decision === "string") tell(decision);
        else tell("refused", decision.by);
        return { kind: "refused", error: refuseCall(`${serverId}/${toolName}`, decision, host, run) };
      }
      const applied = await apply(decision, admitted, admit, host.checkOutput);
      if (typeof applied === "string") {
        problem = applied;
        continue;
      }
      const isForRun = decision.verdict === "granted" && decision.forRun === true;
      if (isForRun) grantedForRun.add(admitted.tool);
      if (decision.verdict === "changed") tell("changed", decision.by, decision.input);
      else tell(isForRun ? "granted-for-run" : decision.verdict, decision.by);
      return applied;
    }
  };

  const askInTurn = async (deciding: Deciding): Promise<DecidedCall> => {
    const { admitted, known } = deciding;
    if (known?.isGranted?.() ?? grantedForRun.has(admitted.tool)) return { kind: "made", admitted };
    time.waits();
    together += 1;
    const position = together;
    // Calls that a script makes side by side are counted before the first of them is shown.
    await turn();
    try {
      return await ask(deciding, position);
    } finally {
      if (time.goesOn() === 0) together = 0;
    }
  };

  return {
    decide(deciding) {
      const { call, admitted, known } = deciding;
      const answered = known?.answered?.() ?? [];
      const isDecided = answered.length > 0 && answered.includes(digestOf(call, admitted));
      if (!isDecided && admitted.asks !== true) return { kind: "made", admitted };
      const asks = isDecided || needsApproval(request, call, admitted);
      if (asks === true) return askInTurn(deciding);
      return asks.then((itAsks) => (itAsks ? askInTurn(deciding) : { kind: "made", admitted }));
    },
    working(serverId, toolName, known) {
      if (!mayAsk && known?.answered === undefined) return undefined;
      const name = `${serverId}/${toolName}`;
      made.set(name, (made.get(name) ?? 0) + 1);
      return time.works();
    },
  };
}

/** The place of a call in its run: among the calls that wait together, and after the calls that were made. */
interface CallPlace {
  position: number;
  together: () => number;
  made: ReadonlyMap<string, number>;
}

/** The question to a person about a call. `problem`: why the answer before it could not be used. */
function toRequest(
  { call: { serverId, toolName, number = 1, place }, admitted }: Deciding,
  { position, together, made }: CallPlace,
  { problem, view }: { problem: string | undefined; view: CallView | undefined },
): ApprovalRequest {
  const call = {
    // A copy: what is asked with cannot be changed on its way.
    ...{ number, input: structuredClone(admitted.input), position, made, ...withoutUndefined({ place, problem }) },
    get total() {
      return together();
    },
  };
  const digest = digestOf({ serverId, toolName }, admitted);
  return { tools: [toEntry(serverId, admitted.tool)], digest, call: withView(call, view) };
}

/** An own tool may say that a call of it needs no approval; one that fails to say it has not. */
function needsApproval(
  { caller, access }: Requester,
  call: ToolCall,
  { tool, input, taken }: Admitted,
): true | Promise<boolean> {
  const { needsApproval: ask, within = enter, onFailed } = caller ?? {};
  // What the policy asks about, no tool can allow.
  if (ask === undefined || accessVerdict({ ...access, asking: undefined }, call.serverId, tool) !== "allow")
    return true;
  const shown = copyOf(taken === undefined ? input : taken.value);
  return Promise.resolve(callBack("needsApproval", () => within(() => ask(call, shown)), true, onFailed));
}

const enter = <Value>(work: () => Value): Value => work();

/** Who is asked about a call, by way of what goes around it. */
function approversOf({ access, approve, askOperator }: Requester, known?: Known) {
  const by = known?.ask?.bind(known);
  if (by === undefined) return { access, approve: inRun(approve), askOperator: askOperator && inRun(askOperator) };
  return {
    access,
    approve: (asked: ApprovalRequest) => by(asked, approve),
    askOperator: (asked: ApprovalRequest) => by(asked, askOperator),
  };
}

function digestOf(
  { serverId, toolName }: Pick<ToolCall, "serverId" | "toolName">,
  { tool, input, bundledIntegrity = tool.integrity }: Admitted,
): Integrity {
  return integrityOf([serverId, toolName, bundledIntegrity, input]);
}

/** The time of a run stands still only while calls wait and nothing else of it goes on. */
function keepTime(hold: Run["hold"]) {
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
  admit: Admit,
  checkOutput: OutputCheck,
): Promise<DecidedCall | string> {
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

/** A plain verdict as a decision. */
function toDecision(
  decision: ApprovalVerdict | CallDecision | "cancelled",
): CallDecision | Exclude<ApprovalVerdict, "granted" | "refused"> | "cancelled" {
  return decision === "granted" || decision === "refused" ? { verdict: decision } : decision;
}

/** Whether an access asks about single calls. */
export function asksEach({ policies, asking = [] }: Pick<Access, "policies" | "asking">): boolean {
  return asking.length > 0 || policies.some(({ askEach = [] }) => askEach.length > 0);
}
