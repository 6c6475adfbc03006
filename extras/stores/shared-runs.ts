import { setTimeout as delay } from "node:timers/promises";
import { makeRunId } from "../../engine/run-id.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, DIAGNOSTIC_CODES } from "../../schemas/run/answer.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import type { LongRuns, RunNews, WaitingRequest } from "../../serve/long-runs/runs.ts";
import type { ToolCallResult } from "../../serve/surface.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";
import type { Replica } from "./replica.ts";
import { digestSession, type RunRecord, type RunRecords } from "./run-records.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { listSome } from "../../schemas/list-some.ts";

export interface SharedRunsOptions {
  /** Those of this process. */
  local: LongRuns;
  records: RunRecords;
  replica: Replica;
  /** Resolves when the store has what is known of a run of this process. */
  written(runId: string): Promise<void>;
  /** How long a request waits; 0: as long as the run takes. */
  detachAfterMs: number;
  /** Receives failures that no request is answered with. */
  onFailure(error: unknown): void;
}

const LOOK_EVERY_MS = 250;
/** For a run that is cancelled to end. */
const CANCEL_MS = 5000;
/** From the claim of a key to the record of its run. */
const CLAIM_MS = 2000;

/** The runs of one client on all replicas. Requests for a run of another one wait by looking into the store. */
export function makeSharedRuns(options: SharedRunsOptions): LongRuns {
  const { local, records, written, detachAfterMs } = options;
  const others = makeRunsElsewhere(options);
  const { find, endOf, attend } = others;

  /** Another replica may be asked as soon as the client has the id. */
  const shareable = async (news: Promise<RunNews>): Promise<RunNews> => {
    const here = await news;
    if (here.kind === "continues" || here.kind === "asks") await written(here.id);
    return here;
  };
  const elsewhere = async (news: Promise<RunNews>, follow: () => Promise<RunNews>): Promise<RunNews> => {
    const here = await shareable(news);
    return here.kind === "lost" ? follow() : here;
  };

  return {
    ...local,
    async begin(work, request) {
      const { key } = request;
      if (key === undefined) return shareable(local.begin(work, request));
      const runId = makeRunId();
      const first = await records.claim(key.text, { runId, call: key.call });
      if (first.call !== key.call) return { kind: "ended", result: toRunResult(failedAnswer([KEY_REUSED])) };
      if (first.runId !== runId)
        return elsewhere(local.wait(first.runId, request), () => attend(first.runId, request, detachAfterMs, CLAIM_MS));
      const calls: string[] = [];
      const watched: typeof work = async (inside) => {
        // What a replica that is killed has called is known to the others.
        await written(runId);
        const { stream } = inside;
        const callEvent: typeof stream.callEvent = (event) => {
          if (event.kind === "started") calls.push(`${event.serverId}/${event.toolName}`);
          stream.callEvent(event);
        };
        const result = await work({ ...inside, stream: { ...stream, callEvent } });
        if (calls.length > 0) return withSpentKey(result, calls);
        if (isRefused(result)) await records.release(key.text);
        return result;
      };
      return shareable(local.begin(watched, { ...request, keyedId: runId }));
    },
    wait: (id, request) => elsewhere(local.wait(id, request), () => attend(id, request, detachAfterMs)),
    reply: (id, number, reply, request) =>
      elsewhere(local.reply(id, number, reply, request), async () => {
        const details = (await find(id, request.session))?.details;
        if (details !== undefined && details.question?.number !== number) return { kind: "late", id };
        if (details !== undefined) {
          await records.send(id, { kind: "reply", number, reply });
          await delay(2 * LOOK_EVERY_MS); // else the question would be put again
        }
        return attend(id, request, detachAfterMs);
      }),
    cancel: (id, request) =>
      elsewhere(local.cancel(id, request), async () => {
        const record = await find(id, request.session);
        if (record !== undefined && record.endedAt === undefined) await records.send(id, { kind: "cancel" });
        return attend(id, request, Math.max(detachAfterMs, CANCEL_MS));
      }),
    async look(id, session) {
      const here = await local.look(id, session);
      if (here !== undefined) return here;
      const record = await find(id, session);
      if (record === undefined) return undefined;
      const { begunAt, isCancelled, details } = record;
      return { id, begunAt, isCancelled, findings: details?.findings ?? [], ended: await endOf(id, record) };
    },
    async end(id) {
      await local.end(id);
      await records.send(id, { kind: "cancel" });
    },
    letGo() {
      others.letGo();
      local.letGo();
    },
  };
}

/** The runs that this process does not have, or no longer, as the store knows them. */
function makeRunsElsewhere({ records, replica, onFailure }: SharedRunsOptions) {
  const find = async (id: string, session: string): Promise<RunRecord | undefined> => {
    const record = await records.read(id);
    return record?.session === digestSession(session) || record?.isKeyed === true ? record : undefined;
  };

  /** The end of a run, or of the replica that had it; undefined while it goes on. */
  const endOf = async (id: string, record: RunRecord): Promise<{ at: number; result: ToolCallResult } | undefined> => {
    const isGone = record.endedAt === undefined && !(await replica.isAlive(record.replica));
    // It may have written its last between both looks.
    const last = isGone ? ((await records.read(id)) ?? record) : record;
    const { endedAt, details } = last;
    if (endedAt === undefined && !isGone) return undefined;
    return { at: endedAt ?? Date.now(), result: details?.result ?? toLost(last, endedAt !== undefined) };
  };

  let isLettingGo = false;

  /** Waits for a run that this process does not have, or no longer; for its record too if it may just have begun. */
  const attend = async (id: string, request: WaitingRequest, waitMs: number, appearMs = 0): Promise<RunNews> => {
    const appearsUntil = performance.now() + appearMs;
    const until = waitMs === 0 || request.waitsForEnd === true ? Infinity : performance.now() + waitMs;
    let shown = 0;
    for (;;) {
      const record = await find(id, request.session);
      if (record === undefined && performance.now() < appearsUntil) {
        await delay(LOOK_EVERY_MS);
        continue;
      }
      if (record === undefined) return { kind: "lost" };
      const { details } = record;
      const ended = await endOf(id, record);
      if (ended !== undefined) return { kind: "ended", result: ended.result };
      const question = details?.question;
      if (question !== undefined && question.number !== shown && !request.signal.aborted) {
        shown = question.number;
        const asking = request.ask(question.question, request.signal);
        if (asking === "by-result") return { kind: "asks", id, number: question.number, question: question.question };
        asking.then((reply) => records.send(id, { kind: "reply", number: question.number, reply })).catch(onFailure);
      }
      if (request.signal.aborted || isLettingGo || performance.now() > until)
        return { kind: "continues", id, logs: [], findings: details?.findings ?? [] };
      await delay(LOOK_EVERY_MS);
    }
  };

  return { find, endOf, attend, letGo: () => void (isLettingGo = true) };
}

function toLost({ details }: RunRecord, hasEnded: boolean): ToolCallResult {
  return toRunResult(failedAnswer([describeLost(details, hasEnded)]));
}

const isToRetry = ({ severity, code }: Diagnostic): boolean =>
  severity === "error" && DIAGNOSTIC_CODES[code] === "retry";

/** Whether a run was refused before it did anything, or waits for an approval: then its key is as good as new. */
function isRefused(result: ToolCallResult): boolean {
  if ("resultType" in result) return true;
  const { diagnostics = [] } = (result.structuredContent ?? {}) as Partial<RunAnswer>;
  return diagnostics.some(
    (each) => isToRetry(each) || (each.severity === "error" && each.code === "APPROVAL_REQUIRED"),
  );
}

/** A failure that says to run again would send its caller back to this answer. */
function withSpentKey(result: ToolCallResult, calls: readonly string[]): ToolCallResult {
  const content: object | undefined = result.structuredContent;
  const answer = content as RunAnswer | undefined;
  if (answer?.diagnostics.some(isToRetry) !== true) return result;
  const diagnostics = answer.diagnostics.map((each) =>
    isToRetry(each) ? describeSpent(each, { calls, callCount: calls.length }) : each,
  );
  return { ...result, ...toRunResult({ ...answer, diagnostics }) };
}

/** A run without an answer: its replica is gone, or the answer was not kept. It never runs again by itself. */
export function describeLost(
  known: { calls: readonly string[]; callCount: number } | undefined,
  hasEnded: boolean,
): Diagnostic {
  const cause = hasEnded
    ? "The run has ended, and its answer was not kept"
    : "The run is lost: the process that ran it is gone";
  return {
    severity: "error",
    code: "RUN_LOST",
    message: `${cause}; ${describeCalls(known)}.`,
    hint: "Find out what the script has done so far, then run it again if needed.",
  };
}

/** A run with a key that has failed by no fault of its own, and has called tools: a request with its key gets this answer, and runs nothing. */
function describeSpent(cause: Diagnostic, known: { calls: readonly string[]; callCount: number }): Diagnostic {
  return {
    severity: "error",
    code: "RUN_LOST",
    message: `${cause.message.replace(/\.$/, "")} (${cause.code}); ${describeCalls(known)}.`,
    hint: "Find out what the script has done so far. This key runs nothing more: run what is left with another key.",
  };
}

function describeCalls(known: { calls: readonly string[]; callCount: number } | undefined): string {
  if (known === undefined) return 'which tools it had called is not known without "serve.storeKey"';
  if (known.callCount === 0) return "it had called no tool";
  return `it had called: ${listSome([...new Set(known.calls)])} (at least ${countOf(known.callCount, "call")})`;
}
