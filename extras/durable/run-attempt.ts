import { clock } from "../../engine/clock.ts";
import type { Execute, Host, RunRequest } from "../../engine/run/host.ts";
import { runBundle, type SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import { toRecordedEnding } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { type Heard, type HeardBefore, Player } from "../../runtime/sandbox/pool/player.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Emit, RunEvent } from "../../schemas/run/events.ts";
import type { RecordedEnding } from "../../schemas/run/recording.ts";
import { describePlace, type Divergence } from "../../schemas/run/compare-calls.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import { type DurableCalls, makeDurableCalls } from "./calls.ts";
import { makePeople } from "./ask-people.ts";
import type { RunQuestions } from "./questions.ts";
import { type OwnedRun, RunTaken } from "./kept-runs.ts";
import type { AttemptEnd, Stop } from "./steps.ts";
import type { Step, StepOf } from "../../schemas/run/durable-run.ts";

/** An attempt of a run, in one sandbox. */
export interface Attempt {
  /** The run; one that begins is kept as soon as it is bundled and allowed. An answer where it does not begin. */
  own(
    bundle: Bundle,
    begun: { lockfile: Lockfile; limits: RunLimits; key: string },
    options: SandboxRun,
  ): Promise<OwnedRun | RunAnswer>;
  questions: RunQuestions;
  /** The run was to be cancelled before it made another call. */
  onCancelled: () => void;
  /** As in `PlayerOptions`. */
  elapsed: () => number;
  /** How long a run waits in its sandbox for a person or a timer, in milliseconds. */
  suspendAfterMs: number;
}

/** Runs a script from its beginning, or on from where it stopped, until its end, or until it waits for so long that its sandbox is given back. */
export async function runAttempt(attempt: Attempt, request: RunRequest, run: Host["run"]): Promise<AttemptEnd> {
  let begun: Begun | undefined;
  const execute: Execute = async (bundle, sandbox, of) => {
    const { limits, key = "" } = sandbox;
    const owned = await attempt.own(bundle, { lockfile: of.run.lockfile, limits, key }, sandbox);
    if ("logs" in owned) return owned;
    begun = beginAttempt(attempt, owned, request, of);
    const { calls, timekeeper } = begun;
    const emit = sandbox.emit && markReplayed(sandbox.emit, begun);
    return runBundle(bundle, { ...sandbox, emit, timekeeper, handleCall: calls.around(sandbox.handleCall) });
  };
  const answer = await run({ ...request, execute });
  if (begun === undefined) return { kind: "blocked", answer };
  return begun.end(answer);
}

type Begun = ReturnType<typeof beginAttempt>;

/** What happens with a script while it runs. */
function beginAttempt(
  { questions, suspendAfterMs, onCancelled, elapsed }: Attempt,
  owned: OwnedRun,
  request: RunRequest,
  { host, run: { lockfile } }: Parameters<Execute>[2],
) {
  const { calls: recorded, heard, hasBegun } = foldRun(owned.steps);
  let ending: RecordedEnding = "broken";
  const { keep, append, note, assertGoing, halt, whyHalted } = makeKeeping(owned, onCancelled);
  questions.keepBy(append);
  const stop = (why: Stop): void => {
    halt(why);
    people.end();
    time.end({ kind: "stopped" });
  };
  const toStep = (one: Heard): Step =>
    "timer" in one ? { kind: "fire", ...one } : { kind: "reply", ...one, ...calls.endOf(one.call) };
  const time: Player = new Player({
    ...{ start: owned.run.start, elapsed, history: heard, isResumed: hasBegun, after: "live" },
    keep: (steps) => keep(steps.map(toStep), false, HEARD_WITHIN_MS),
    onChange: () => pause.look(),
    onStandstill: (missing) => stop({ finding: describeDivergence(standstillAt(missing)) }),
    onFailure: (why) => stop({ end: { kind: "taken", why } }),
    onEnd(reached) {
      ending = toRecordedEnding(reached);
      people.end();
      pause.end();
    },
  });
  const people = makePeople({
    ...{ owned, keep, questions, request, host, recorded },
    stop,
    onChange: () => pause.look(),
  });
  const calls: DurableCalls = makeDurableCalls({
    ...{ recorded, keep, assertGoing, people },
    findTool: ({ serverId, toolName }) => findOperation(lockfile.servers.get(serverId), toolName),
    onNewCall: (call) => note({ ...call, timeMs: time.nowMs() }),
    onChange: () => pause.look(),
    onOtherCall: (divergence) => stop({ finding: describeDivergence(divergence) }),
  });
  const pause = makePause(suspendAfterMs, {
    time,
    isOnlyAsking: () => calls.inFlight() === people.asking(),
    asking: people.asking,
    stop,
  });
  return {
    ...{ calls, timekeeper: time },
    isNew: () => time.isNew(),
    /** What becomes of the answer of the sandbox. */
    async end(answer: RunAnswer): Promise<AttemptEnd> {
      questions.keepBy(owned.append);
      const { end, finding } = whyHalted() ?? {};
      try {
        if (end?.kind === "suspended") await append([toSuspended(end.restMs, time.workedMs())], true);
        if (end !== undefined) return end;
        // Of a run that another process may go on with, nothing is said.
        owned.assertOwned();
      } catch (why) {
        return { kind: "taken", why };
      }
      if (finding === undefined) return { kind: "ended", answer, ending };
      const { logs, toolTrace, diagnostics } = answer;
      const found = { ...failedAnswer([finding, ...diagnostics]), logs, toolTrace };
      return { kind: "ended", answer: found, ending: "cancelled" };
    },
  };
}

/** What the script hears is kept with its next call, in one write; at the latest after so many milliseconds. */
const HEARD_WITHIN_MS = 2;

/** Keeps what happens in an attempt until that is stopped. */
function makeKeeping(owned: OwnedRun, onCancelled: () => void) {
  let halted: Stop | undefined;
  /** Calls that nothing has happened with yet. */
  const unkept: Step[] = [];
  const append: OwnedRun["append"] = (steps, ...how) => owned.append([...unkept.splice(0), ...steps], ...how);
  const keep: OwnedRun["append"] = async (steps, ...how) => {
    // An answer that comes now may be the error of a call that was stopped.
    if (halted !== undefined) throw new RunTaken();
    await append(steps, ...how);
  };
  return {
    ...{ keep, append },
    note: (call: Step): void => void unkept.push(call),
    halt: (why: Stop): void => void (halted ??= why),
    whyHalted: () => halted,
    /** Afterwards no more calls go out: nothing would hear their answers. */
    assertGoing(): void {
      if (halted !== undefined) throw new RunTaken();
      owned.assertOwned();
      if (!owned.isCancelled()) return;
      onCancelled();
      throw new RunTaken();
    },
  };
}

interface Waiting {
  time: Player;
  /** Whether all calls that have no answer wait for a person. */
  isOnlyAsking: () => boolean;
  /** How many calls wait for a person. */
  asking: () => number;
  stop: (why: Stop) => void;
}

/** Gives the sandbox back when nothing happens for a while but what a person does, or a timer that is due later. */
function makePause(suspendAfterMs: number, { time, isOnlyAsking, asking, stop }: Waiting) {
  let stopPause: (() => void) | undefined;
  const isWaiting = (): boolean => {
    const due = time.nextTimer();
    const isFar = due === undefined || due > suspendAfterMs;
    return time.isIdle() && isOnlyAsking() && (asking() > 0 || due !== undefined) && isFar;
  };
  const suspend = (): void => {
    if (isWaiting()) stop({ end: { kind: "suspended", restMs: time.nextTimer() } });
  };
  return {
    look(): void {
      const waits = isWaiting();
      if (!waits) stopPause?.();
      stopPause = waits ? (stopPause ?? clock.after(suspendAfterMs, suspend)) : undefined;
    },
    end: (): void => stopPause?.(),
  };
}

/** Its times are for people: a process that waits does so by its own clock. */
function toSuspended(restMs: number | undefined, workedMs: number): StepOf<"suspended"> {
  const at = clock.wall();
  const wakeAt = restMs === undefined ? undefined : at + Math.max(0, restMs);
  return { kind: "suspended", usedMs: Math.round(workedMs), wakeAt, at };
}

/** The script does again what it has done in an earlier attempt. */
function markReplayed(emit: Emit<RunEvent>, { isNew, calls }: Begun): Emit<RunEvent> {
  return (event) => {
    if (event.type === "log") emit(isNew() ? event : { ...event, isReplayed: true });
    else if (event.type === "call-started") emit(calls.isNextReplayed() ? { ...event, isReplayed: true } : event);
    else emit(event);
  };
}

function describeDivergence(divergence: Divergence): Diagnostic {
  const { expected, received } = divergence;
  return {
    severity: "error",
    code: "REPLAY_DIVERGED",
    message: `The run cannot go on at ${describePlace(divergence)}: it was ${expected} before, and is ${received} now`,
    hint: "The script does not do the same again, which no script can by itself: report it. Find out what it has done, then run it again.",
  };
}

/** The script waits, and hears nothing of what it has heard then. */
function standstillAt(missing: HeardBefore | undefined): Divergence {
  const expected = missing && ("call" in missing ? `call ${missing.call}` : `timer ${missing.timer}`);
  return { place: "the end", expected: expected ?? "nothing", received: "a script that waits for nothing of it" };
}
