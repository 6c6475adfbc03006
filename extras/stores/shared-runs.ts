import { clock, delay } from "../../engine/clock.ts";
import { makeRunId } from "../../engine/run-id.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, DIAGNOSTIC_CODES } from "../../schemas/run/answer.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import type { LongRuns } from "../../serve/long-runs/runs.ts";
import { type RunElsewhere, type RunSource, withRunsElsewhere } from "../../serve/long-runs/runs-elsewhere.ts";
import type { ToolCallResult } from "../../serve/surface.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";
import { type LongRunOptions, makeLongRuns } from "../../serve/long-runs/long-runs.ts";
import type { Message } from "./mail.ts";
import type { Joined } from "./replica.ts";
import { digestSession, makeRunMirror, makeRunRecords, type RunRecord, type RunRecords } from "./run-records.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { listSome } from "../../schemas/list-some.ts";

/** From the claim of a key to the record of its run. */
const CLAIM_MS = 2000;
const LOOK_EVERY_MS = 250;

/** As for the runs of one process. */
type ProcessRunOptions = Omit<LongRunOptions, "onShared" | "written">;

/** The runs of one client on all replicas. */
export function makeSharedRuns(shared: Joined, client: string, options: ProcessRunOptions): LongRuns {
  const records = makeRunRecords(shared, client);
  const take = (id: string, message: Message): void | Promise<void> => {
    if (message.kind === "cancel") return local.end(id);
    if (message.kind === "reply") local.answer(id, message.number, message.reply);
  };
  const { changed, written } = makeRunMirror({ shared, records, take });
  const local = makeLongRuns({ ...options, onShared: changed, written });
  const { detachAfterMs } = options;
  const runs = withRunsElsewhere(local, sourceOf(shared, records, options), {
    detachAfterMs,
    onFailure: shared.onFailure,
  });

  /** The record of a run follows the claim of its key. */
  const appears = async (id: string): Promise<void> => {
    for (const until = clock.now() + CLAIM_MS; clock.now() < until; await delay(LOOK_EVERY_MS))
      if ((await records.read(id)) !== undefined) return;
  };
  return {
    ...runs,
    async begin(work, request) {
      const { key } = request;
      // The log of durable runs has one run for each key.
      if (key === undefined || options.idOf !== undefined) return runs.begin(work, request);
      const runId = makeRunId();
      const first = await records.claim(key.text, { runId, call: key.call });
      if (first.call !== key.call) return { kind: "ended", result: toRunResult(failedAnswer([KEY_REUSED])) };
      if (first.runId !== runId) {
        await appears(first.runId);
        return runs.wait(first.runId, request);
      }
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
      return runs.begin(watched, { ...request, keyedId: runId });
    },
  };
}

/** The runs of other replicas, as the store knows them. */
function sourceOf(
  { replica, mail }: Joined,
  records: RunRecords,
  { isNamed, idOf }: Pick<ProcessRunOptions, "isNamed" | "idOf">,
): RunSource {
  /** The end of a run, or of the replica that had it; undefined while it goes on. */
  const endOf = async (id: string, record: RunRecord): Promise<RunElsewhere["ended"]> => {
    const isGone = record.endedAt === undefined && !(await replica.isAlive(record.replica));
    // It may have written its last between both looks.
    const last = isGone ? ((await records.read(id)) ?? record) : record;
    const { endedAt, details } = last;
    if (endedAt === undefined && !isGone) return undefined;
    return { at: endedAt ?? clock.wall(), result: details?.result ?? toLost(last, endedAt !== undefined) };
  };
  return {
    async find(id, session) {
      const record = await records.read(id);
      if (record === undefined) return undefined;
      if (!isNamed && !record.isKeyed && record.session !== digestSession(session)) return undefined;
      const { begunAt, isCancelled, details } = record;
      const { findings = [], question } = details ?? {};
      const ended = await endOf(id, record);
      // A durable run goes on without its replica: its log says how it stands.
      if (idOf !== undefined && ended !== undefined && details?.result === undefined) return undefined;
      return { id, begunAt, isCancelled, findings, question, ended };
    },
    async cancel(id) {
      const record = await records.read(id);
      if (record !== undefined) await mail.send(record.replica, records.nameOf(id), { kind: "cancel" });
    },
    async reply(id, number, reply) {
      const record = await records.read(id);
      if (record?.details === undefined) return undefined;
      if (record.details.question?.number !== number) return "late";
      await mail.send(record.replica, records.nameOf(id), { kind: "reply", number, reply });
      return undefined;
    },
  };
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
