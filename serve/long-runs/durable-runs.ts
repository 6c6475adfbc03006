import { clock, delay } from "../../engine/clock.ts";
import type { DurableRuns } from "../../engine/extras.ts";
import { AWAY_MS } from "../../engine/while-away.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { mayPass } from "../../schemas/passing-error.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import type { PersonsReply } from "../../schemas/run/question.ts";
import { toVerdict } from "../agent/approval-form.ts";
import { CANCEL_MS, type LongRunOptions, runOfQuestion } from "./long-runs.ts";
import type { LongRuns, RunNews, RunState, WaitingRequest } from "./runs.ts";

/** A durable run as a request that waits for it sees it. */
interface FoundRun extends RunState {
  /** It does not go on before a person has seen to it: no request waits for it. */
  readonly isLeft?: boolean;
}

interface Waiting extends Pick<LongRunOptions, "detachAfterMs"> {
  client: string | undefined;
  /** As in `Access`: whether answers of the client count. */
  mayApprove: boolean;
}

const LOOK_EVERY_MS = 250;

/** The runs of one client in this process, and its durable runs that other processes have, or had: a request that waits for one polls it. */
export function withDurableRuns(
  local: LongRuns,
  durable: Promise<DurableRuns | undefined>,
  { client, mayApprove, detachAfterMs }: Waiting,
): LongRuns {
  let isLettingGo = false;
  /** Undefined where the client has none of that id. */
  const find = async (id: string): Promise<FoundRun | undefined> => {
    const found = await (await durable)?.find(id).catch(unlessCode("RUN_UNKNOWN", "RUN_DAMAGED"));
    return found !== undefined && found.client === client ? toFoundRun(found) : undefined;
  };
  const attend = async (id: string, request: WaitingRequest, waitMs = detachAfterMs): Promise<RunNews> => {
    let seenAt = clock.now();
    const until = waitMs === 0 || request.waitsForEnd === true ? Infinity : seenAt + waitMs;
    for (;;) {
      const look = find(id).then((found) => {
        seenAt = clock.now();
        return found;
      });
      const found = await look.catch((error: unknown) => describeAway(id, error));
      if (found === undefined) return { kind: "lost" };
      const { ended, findings } = found;
      if (ended?.result !== undefined) return { kind: "ended", result: ended.result };
      const isGone = request.signal.aborted;
      if (isGone || isLettingGo || found.isLeft === true || clock.now() > Math.min(until, seenAt + AWAY_MS))
        return { kind: "continues", id, logs: [], findings };
      await delay(LOOK_EVERY_MS, { signal: request.signal });
    }
  };
  const elsewhere = async <News extends RunNews | string | undefined>(
    news: Promise<News>,
    follow: () => Promise<News>,
  ): Promise<News> => {
    const here = await news;
    return typeof here === "object" && here.kind === "lost" ? follow() : here;
  };
  /** In the log of its run, for the process that has it. */
  const answer = async (id: string, { action, ...reply }: PersonsReply): Promise<boolean> => {
    const verdict = toVerdict(action, "content" in reply ? reply.content : undefined);
    const decision = verdict === "granted" || verdict === "refused" ? { verdict } : verdict;
    if (!mayApprove || typeof decision === "string") return false;
    const given = (await durable)?.answer(id, { ...decision, by: { way: "form" } });
    return (await given?.catch(unlessCode("RUN_HELD", "RUN_UNKNOWN"))) === "given";
  };
  return {
    ...local,
    wait: (id, request) => elsewhere(local.wait(id, request), () => attend(id, request)),
    reply: (id, reply, request) =>
      elsewhere<RunNews | "never-asked" | undefined>(local.reply(id, reply, request), async () => {
        if (!QUESTION_ID.test(id)) return "never-asked";
        const run = runOfQuestion(id);
        const isGiven = (await find(run)) !== undefined && (await answer(id, reply));
        const news = await attend(run, request);
        return isGiven ? news : { ...news, isLate: true };
      }),
    cancel: (id, request) =>
      elsewhere(local.cancel(id, request), async () => {
        const found = await find(id);
        if (found !== undefined && found.ended === undefined) await (await durable)?.cancel(id);
        return attend(id, request, Math.max(detachAfterMs, CANCEL_MS));
      }),
    look: async (id, session) => (await local.look(id, session)) ?? find(id),
    async end(id) {
      await local.end(id);
      if ((await find(id)) !== undefined) await (await durable)?.cancel(id);
    },
    letGo() {
      isLettingGo = true;
      local.letGo();
    },
  };
}

/** Of a question in the log of its run, and of one that only the process that asked it knows. */
const QUESTION_ID = /^[\w-]{22}\.(?:[1-9]\d*|[\da-f-]{36})$/;

/** The runs cannot be looked at now, which says nothing of this one: it goes on meanwhile. */
function describeAway(id: string, error: unknown): FoundRun {
  if (!(error instanceof CodemodeError)) throw error;
  // What its store refuses is for an operator to see to: no request waits for that.
  const isLeft = !mayPass(error);
  const hint = "Call with the runId again in a minute. Do not run the script again: it may go on.";
  const message = `The runs cannot be looked at now: ${error.code}.`;
  const findings = [{ severity: "info", code: "RUN_CONTINUES", message, hint } as const];
  return { id, begunAt: 0, isCancelled: false, isLeft, findings };
}

function toFoundRun(overview: RunOverview): FoundRun {
  const { id, begunAt, state, answer, endedAt, error } = overview;
  const hasEnded = answer !== undefined && endedAt !== undefined;
  const ended = hasEnded ? { at: endedAt, result: toRunResult({ ...answer, runId: id }) } : undefined;
  return {
    id,
    begunAt,
    isCancelled: error === "RUN_CANCELLED",
    findings: describe(overview),
    isLeft: state === "blocked",
    ended,
  };
}

/** What a run waits for. */
function describe({ state, questions, answer }: RunOverview): Diagnostic[] {
  if (state === "blocked") return [...(answer?.diagnostics ?? [])];
  if (questions.length === 0) return [];
  return [
    {
      severity: "info",
      code: "RUN_CONTINUES",
      message: "The run waits for a person.",
      hint: "Tell the user that a call of it waits for an approval, which only a person can give; then call with the runId, also tomorrow.",
    },
  ];
}
