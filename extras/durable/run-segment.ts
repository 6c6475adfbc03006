import type { ConductRun, Host, RunRequest } from "../../engine/run/host.ts";
import { runWithDispatcher } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { RunWire, Timekeeper } from "../../runtime/sandbox/pool/timekeeper.ts";
import { makeToolCallDispatcher } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, type RunLimits } from "../../schemas/run/answer.ts";
import { type ApprovalRequest, type Approve, type CallDecision, describeCallToApprove } from "../../schemas/run/approval.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { RunSink } from "../../schemas/run/observer.ts";
import { countSent, type DurableCalls, makeDurableCalls, recordedCalls } from "./calls.ts";
import { askOfDoubt, describeStop, type DoubtfulCall, readDoubt } from "./doubts.ts";
import { questionOf, recordedDecisions, type RunQuestions } from "./questions.ts";
import { type HeardStep, type LiveTime, makeLiveTime } from "./replay-then-live.ts";
import { type OwnedRun, RunTaken } from "./run-store.ts";
import type { Step } from "../../engine/run/durable-extra.ts";

/** A stretch of a run, in one sandbox. */
export interface Segment {
  /** The run; one that begins is kept as soon as it is bundled and allowed. */
  own(bundle: Bundle, begun: { lockfile: Lockfile; limits: RunLimits; key: string }): Promise<OwnedRun>;
  questions: RunQuestions;
  /** How long a run waits in its sandbox for a person or a timer, in milliseconds. */
  suspendAfterMs: number;
}

/** How it ended. `blocked`: the script did not get to run. `taken`: another process has the run, or what it does cannot be kept. */
export type SegmentEnd =
  | { kind: "ended" | "blocked"; answer: RunAnswer }
  | { kind: "suspended"; wakeAt: number | undefined }
  | { kind: "taken"; why: unknown };

/** Runs a script from its beginning, or on from where it stopped, until its end, or until it waits for so long that its sandbox is given back. */
export async function runSegment(segment: Segment, request: RunRequest, run: Host["run"]): Promise<SegmentEnd> {
  let begun: Conducted | undefined;
  const conduct: ConductRun = async (bundle, options, context) => {
    const { lockfile, limits } = context;
    const owned = await segment.own(bundle, { lockfile, limits, key: options.key ?? "" });
    begun = makeConducted(segment, owned, request, context);
    const dispatcher = makeToolCallDispatcher(
      begun.calls.wrapHost(options.toolHost),
      options.limits.maxToolCalls,
      options.sink?.callEvent,
    );
    return runWithDispatcher(bundle, begun.calls.wrapDispatcher(dispatcher), { ...options, timekeeper: begun.timekeeper });
  };
  const inRun =
    (channel: Approve | undefined): Approve =>
    (asked) =>
      begun === undefined || asked.call === undefined || channel === undefined
        ? (channel?.(asked) ?? Promise.resolve("unavailable"))
        : begun.ask(asked, channel);
  const answer = await run({
    ...request,
    conduct,
    approveInRun: inRun(request.approveInRun ?? request.approve),
    askOperatorInRun: request.askOperatorInRun && inRun(request.askOperatorInRun),
    async beforeCall(call, input) {
      await request.beforeCall?.(call, input);
      return begun?.calls.beforeCall(call, input);
    },
    sink: withoutReplayed(request.sink, () => begun),
  });
  if (begun === undefined) return { kind: "blocked", answer };
  return begun.end(answer);
}

type Conducted = ReturnType<typeof makeConducted>;

/** What happens with a script while it runs. */
function makeConducted(
  { questions, suspendAfterMs }: Segment,
  owned: OwnedRun,
  { approveInRun, approve, access, askOperatorInRun }: RunRequest,
  { lockfile, checkOutput }: Parameters<ConductRun>[2],
) {
  const recorded = recordedCalls(owned.steps);
  const decisions = recordedDecisions(owned.steps);
  const rounds = new Map<string, number>();
  let asking = 0;
  let isOver = false;
  let wire: RunWire | undefined;
  let outcome: { kind: "suspended"; wakeAt: number | undefined } | { kind: "taken"; why: unknown } | undefined;
  let finding: Diagnostic | undefined;
  let pause: NodeJS.Timeout | undefined;

  /** Calls that nothing has happened with yet. */
  const unkept: Step[] = [];
  const keep: OwnedRun["append"] = (steps, isFlushed) => owned.append([...unkept.splice(0), ...steps], isFlushed);
  const stop = (why: { outcome?: NonNullable<typeof outcome>; finding?: Diagnostic }): void => {
    outcome ??= why.outcome;
    finding ??= why.finding;
    wire?.end({ kind: "stopped" });
  };
  const fail = (error: unknown): void => stop({ outcome: { kind: "taken", why: error } });
  const time: LiveTime = makeLiveTime({
    start: owned.run.start,
    isResumed: owned.steps.length > 0,
    heard: owned.steps.filter((step): step is HeardStep => step.kind === "reply" || step.kind === "fire"),
    toReply: (call, replyJson, timeMs) => ({ kind: "reply", call, timeMs, replyJson, ...calls.endOf(call) }),
    keep,
    onChange: () => lookForPause(),
    onStandstill: (expected) => stop({ finding: describeDivergence("the end", expected, "a script that waits for nothing of it") }),
    onFailure: fail,
  });
  /** Whether nothing happens but what a person does, or a timer that is due later. */
  const isWaiting = (): boolean => {
    const due = time.nextTimer();
    const isFar = due === undefined || due - Date.now() > suspendAfterMs;
    return time.isIdle() && calls.inFlight() === asking && (asking > 0 || due !== undefined) && isFar;
  };
  const lookForPause = (): void => {
    const waits = isWaiting();
    if (!waits) clearTimeout(pause);
    if (!waits || pause === undefined)
      pause = waits ? setTimeout(() => isWaiting() && suspend(), suspendAfterMs) : undefined;
  };
  const suspend = (): void => stop({ outcome: { kind: "suspended", wakeAt: time.nextTimer() } });

  /** Asks about a call, unless a person has decided about it before. It waits as long as that takes. */
  const decide = async (id: number, request: ApprovalRequest, channel: Approve): Promise<CallDecision> => {
    const { digest } = request;
    const question = questionOf({ call: id, digest });
    const round = rounds.get(question) ?? 0;
    rounds.set(question, round + 1);
    const known = decisions.ofQuestions.get(question)?.[round];
    if (known !== undefined) return known.decision;
    const place = `${question} ${round}`;
    asking += 1;
    try {
      if (!isAsked(owned.steps, id, digest))
        await keep([{ kind: "asked", call: id, digest, lines: describeCallToApprove(request) }], true);
      lookForPause();
      const decision = await questions.ask(place, request, channel);
      // The next stretch gets it.
      if (isOver) throw new RunTaken();
      await keep([{ kind: "decided", call: id, digest, decision }], true);
      questions.close(place);
      return decision;
    } catch (error) {
      if (!isOver) fail(error);
      throw error;
    } finally {
      asking -= 1;
      lookForPause();
    }
  };
  const channelOfDoubt = access.mayApprove ? (approveInRun ?? approve) : askOperatorInRun;
  const settleDoubt = async (doubt: DoubtfulCall & { id: number }) => {
    const { id } = doubt;
    for (let problem: string | undefined; ; ) {
      const asked = askOfDoubt(doubt, countSent(recorded), problem);
      const decision = await decide(id, asked, channelOfDoubt ?? (async () => "unavailable"));
      const read = readDoubt(decision, doubt, checkOutput);
      if (read === "make") return undefined;
      if (read === "stop") {
        stop({ finding: describeStop(doubt.call) });
        return STOPPED;
      }
      if ("ok" in read) return read;
      ({ problem } = read);
    }
  };
  const calls: DurableCalls = makeDurableCalls({
    ...{ recorded, keep, assertOwned: owned.assertOwned, lockfile, settleDoubt },
    onNewCall: (step) => void unkept.push(step),
    onChange: () => lookForPause(),
    onOtherCall: (id, expected, received) =>
      stop({ finding: describeDivergence(`call ${id} (${nameOf(expected)})`, quote(expected), quote(received)) }),
  });

  const timekeeper: Timekeeper = {
    ...time.timekeeper,
    begin(ofRun) {
      wire = ofRun;
      time.timekeeper.begin(ofRun);
    },
    close(ending) {
      isOver = true;
      clearTimeout(pause);
      time.timekeeper.close(ending);
    },
  };
  return {
    ...{ calls, timekeeper },
    isNew: time.isNew,
    ask(request: ApprovalRequest, channel: Approve): ReturnType<Approve> {
      const [tool] = request.tools;
      if (decisions.forRun.has(`${tool?.serverId}/${tool?.toolName}`)) return Promise.resolve({ verdict: "granted", forRun: true });
      const { call } = request;
      return decide(calls.idOf(call?.number ?? 0), withEarlierCalls(request, countSent(recorded)), channel);
    },
    /** What becomes of the answer of the sandbox. */
    async end(answer: RunAnswer): Promise<SegmentEnd> {
      try {
        if (outcome?.kind === "suspended") {
          const { wakeAt } = outcome;
          await keep([{ kind: "suspended", usedMs: Math.round(time.workedMs()), wakeAt }], true);
        }
        if (outcome !== undefined) return outcome;
        // Of a run that another process may go on with, nothing is said.
        owned.assertOwned();
      } catch (why) {
        return { kind: "taken", why };
      }
      if (finding === undefined) return { kind: "ended", answer };
      return { kind: "ended", answer: { ...failedAnswer([finding, ...answer.diagnostics]), logs: answer.logs, toolTrace: answer.toolTrace } };
    },
  };
}

/** Whether a question is open already: it was put before the sandbox was given back. */
function isAsked(steps: readonly Step[], call: number, digest: string): boolean {
  const last = steps.findLast((step) => (step.kind === "asked" || step.kind === "decided") && step.call === call);
  return last?.kind === "asked" && last.digest === digest;
}

const STOPPED = {
  ok: false,
  error: { errorClass: "ToolCallError", message: "The run was stopped.", hint: "Ask the user." },
} as const;

/** What was shown before is not shown again. */
function withoutReplayed(sink: RunSink | undefined, run: () => Conducted | undefined): RunSink | undefined {
  if (sink === undefined) return undefined;
  const { logged, callEvent } = sink;
  return {
    ...sink,
    logged: logged && ((entry) => (run()?.isNew() === false ? undefined : logged(entry))),
    callEvent: callEvent && ((event) => (run()?.calls.isReplayed(event) === true ? undefined : callEvent(event))),
  };
}

/** With the calls that were made before the sandbox was given back. */
function withEarlierCalls(request: ApprovalRequest, earlier: ReadonlyMap<string, number>): ApprovalRequest {
  const { call } = request;
  if (call === undefined || earlier.size === 0) return request;
  const made = new Map(earlier);
  for (const [name, count] of call.made) made.set(name, (made.get(name) ?? 0) + count);
  return { ...request, call: Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(call), made: { value: made, enumerable: true } }) as typeof call };
}

function describeDivergence(place: string, expected: string, received: string): Diagnostic {
  return {
    severity: "error",
    code: "REPLAY_DIVERGED",
    message: `The run cannot go on at ${place}: it was ${expected} before, and is ${received} now`,
    hint: "The script does not do the same again, which no script can by itself: report it. Find out what it has done, then run it again.",
  };
}

function nameOf({ serverId, toolName }: Pick<ToolCall, "serverId" | "toolName">): string {
  return `${serverId}/${toolName}`;
}

const MOST_QUOTED = 120;

function quote(call: { serverId: string; toolName: string; inputJson: string }): string {
  const { inputJson } = call;
  const input = inputJson.length > MOST_QUOTED ? `${inputJson.slice(0, MOST_QUOTED)}…` : inputJson;
  return `a call of ${nameOf(call)} with ${input}`;
}
