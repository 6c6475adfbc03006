import type { DurableRuns } from "../../engine/extras.ts";
import { isJsonObject } from "../../schemas/json/json.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import { makeTurns, type Turns } from "../../schemas/turns.ts";
import type { CallsInFlight } from "../agent/calls-in-flight.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import { makeAnswerCache } from "./answer-cache.ts";
import { attend, type Attending, type FoundRun } from "./attend.ts";
import { findElsewhere, type RunClient } from "./elsewhere.ts";
import { type LiveRun, startRun } from "./live-run.ts";
import type { LongRuns, WaitingRequest } from "./runs.ts";

/** Of a client: one with a name has its runs in all of its sessions. */
export interface LongRunOptions extends RunClient {
  /** How long a request waits; 0: as long as the run takes. */
  detachAfterMs: number;
  calls: CallsInFlight;
  /** Finds the runs of other processes, where runs are durable. */
  durable?: Promise<DurableRuns | undefined> | undefined;
  /** How long an answer that is not read is kept, in milliseconds. */
  keptMs?: number | undefined;
}

/** For a run that is cancelled to end. */
const CANCEL_MS = 5000;

/** Makes the runs of one client. */
export function makeLongRuns(options: LongRunOptions): LongRuns {
  const { client, detachAfterMs, calls, durable } = options;
  const turnsOf = makeTurnsOfSessions();
  const { kept, ...runs } = openRuns(options);
  const isOf = (run: LiveRun, session: string): boolean => client !== undefined || run.session === session;

  const findInLog = (id: string) => durable && findElsewhere(durable, options, id);
  const find = (id: string, session: string): FoundRun | undefined => {
    const run = kept.get(id);
    if (run !== undefined && isOf(run, session)) return { kind: "here", run };
    const inLog = findInLog(id);
    return inLog && { kind: "elsewhere", run: inLog };
  };
  /** The run of a key in the memory of this process. */
  const findKeyed = ({ key, session }: WaitingRequest): LiveRun | undefined =>
    key && [...kept.values()].find((run) => run.key?.text === key.text && isOf(run, session) && !hasFreeKey(run));
  const stop = async (id: string, found: FoundRun): Promise<void> => {
    // One that is blocked has ended here, and may go on by its log.
    if (found.kind === "elsewhere" || found.run.ended !== undefined) return findInLog(id)?.cancel();
    found.run.isCancelled = true;
    found.run.cancellation.abort();
  };

  return {
    async begin(work, request) {
      const { key } = request;
      const id = key && (await durable)?.idOf(key.text, client);
      const known = id === undefined ? findKeyed(request) : undefined;
      if (known !== undefined && known.key?.call !== key?.call) return { kind: "ended", result: REUSED };
      if (known !== undefined) return attend(runs, { kind: "here", run: known }, request);
      const inTurn = request.asksByResult ? makeTurns() : turnsOf(request.session);
      const run = startRun(work, request, { id, calls, inTurn, mayDetach: detachAfterMs > 0 });
      if (key !== undefined && id === undefined) runs.keep(run);
      return attend(runs, { kind: "here", run }, request);
    },
    async wait(id, request) {
      const found = find(id, request.session);
      return found === undefined ? { kind: "lost" } : attend(runs, found, request);
    },
    async reply(id, reply, request) {
      const found = find(runOfQuestion(id), request.session);
      if (found === undefined) return { kind: "lost" };
      const asked = found.kind === "here" ? found.run.asked.get(request.digest()) : [id].filter(isQuestionId);
      if (asked === undefined) return undefined;
      if (!asked.includes(id)) return "never-asked";
      const question = found.kind === "here" && found.run.question?.id === id ? found.run.question : undefined;
      question?.settle(reply);
      const isGiven = found.kind === "here" ? question !== undefined : await found.run.answer(id, reply);
      const news = await attend(runs, found, request);
      return isGiven ? news : { ...news, isLate: true };
    },
    async cancel(id, request) {
      const found = find(id, request.session);
      if (found === undefined) return { kind: "lost" };
      await stop(id, found);
      return attend(runs, found, request, Math.max(detachAfterMs, CANCEL_MS));
    },
    async look(id, session) {
      const found = find(id, session);
      return found?.kind === "here" ? found.run : found?.run.look();
    },
    async end(id, session) {
      const found = find(id, session);
      if (found !== undefined) await stop(id, found);
    },
    letGo() {
      for (const go of runs.waits) go();
    },
  };
}

const REUSED = toRunResult(failedAnswer([KEY_REUSED]));

/** The runs of this process that requests can ask for, by their ids, and their answers. */
function openRuns({ detachAfterMs, keptMs }: LongRunOptions): Attending & { kept: Map<string, LiveRun> } {
  const kept = new Map<string, LiveRun>();
  const cache = makeAnswerCache((id) => kept.delete(id), keptMs);
  return {
    ...{ detachAfterMs, kept, waits: new Set() },
    keep(run) {
      if (kept.get(run.id) === run) return;
      kept.set(run.id, run);
      void run.over.then(() => cache.keep(run.id, run.ended?.result));
    },
    read(run) {
      // The others have no id.
      if (run.isDetached || run.key !== undefined) cache.read(run.id);
    },
  };
}

/** Puts the questions of a session to its person one after the other. */
function makeTurnsOfSessions(): (session: string) => Turns {
  const people = new Map<string, Turns>();
  return (session) => {
    const turns = people.get(session) ?? makeTurns(() => people.delete(session));
    people.set(session, turns);
    return turns;
  };
}

/** A run that has failed without a call has changed nothing: another one gets its key. */
function hasFreeKey({ ended, hasCalled }: LiveRun): boolean {
  if (ended === undefined) return false;
  const said = ended.result?.structuredContent?.["diagnostics"];
  const hasFailed = Array.isArray(said) && said.some((each) => isJsonObject(each) && each["severity"] === "error");
  return ended.result === undefined || (hasFailed && !hasCalled);
}

/** Whether a text is the id of a question in the log of its run, or of one that only the process that asked it knows. */
function isQuestionId(id: string): boolean {
  return /^[\w-]{22}\.(?:[1-9]\d*|[\da-f-]{36})$/.test(id);
}

/** The run of a question: the log of the run has it as `RUN.NUMBER`, and the others are like it. */
export function runOfQuestion(id: string): string {
  return id.split(".", 1)[0] ?? "";
}
