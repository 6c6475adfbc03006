import { clock } from "../../engine/clock.ts";
import type { DurableRuns } from "../../engine/extras.ts";
import { AWAY_MS } from "../../engine/while-away.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { mayPass } from "../../schemas/passing-error.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { PersonsReply } from "../../schemas/run/question.ts";
import { toVerdict } from "../agent/approval-form.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import type { RunState } from "./runs.ts";

/** A durable run by its log: another process has it, or had it. */
export interface ElsewhereRun {
  /** Undefined where the client has none of that id. */
  look(): Promise<RunState | undefined>;
  /** Makes what looks again and again: while the store is away the run may go on, for a minute. */
  follow(): () => Promise<RunState | undefined>;
  /**
   * Answers a question of it by its log, for the process that has it; false where that counts for nothing.
   * @param id of the question
   */
  answer(id: string, reply: PersonsReply): Promise<boolean>;
  /** Cancels it unless it has ended. */
  cancel(): Promise<void>;
}

/** As in `Access`. */
export interface RunClient {
  client: string | undefined;
  /** Whether answers of the client count. */
  mayApprove: boolean;
}

/** A durable run of a client, by its id. */
export function findElsewhere(
  durable: Promise<DurableRuns | undefined>,
  { client, mayApprove }: RunClient,
  id: string,
): ElsewhereRun {
  const look = async (): Promise<RunState | undefined> => {
    const found = await (await durable)?.find(id).catch(unlessCode("RUN_UNKNOWN", "RUN_DAMAGED"));
    return found !== undefined && found.client === client ? toState(found) : undefined;
  };
  return {
    look,
    follow() {
      let seenAt = clock.now();
      return async () => {
        try {
          const state = await look();
          seenAt = clock.now();
          return state;
        } catch (error) {
          return describeAway(id, error, clock.now() > seenAt + AWAY_MS);
        }
      };
    },
    async answer(question, { action, ...reply }) {
      const verdict = toVerdict(action, "content" in reply ? reply.content : undefined);
      const decision = verdict === "granted" || verdict === "refused" ? { verdict } : verdict;
      if (typeof decision === "string") return false;
      const proof = { form: { client, mayApprove } };
      const given = (await durable)?.answer(question, { ...decision, by: { way: "form" } }, proof);
      return (await given?.catch(unlessCode("RUN_HELD", "RUN_UNKNOWN", "RUN_DAMAGED"))) === "given";
    },
    async cancel() {
      const found = await look();
      if (found !== undefined && found.ended === undefined) await (await durable)?.cancel(id);
    },
  };
}

/** The runs cannot be looked at now, which says nothing of this one: it goes on meanwhile. */
function describeAway(id: string, error: unknown, isLong: boolean): RunState {
  if (!(error instanceof CodemodeError)) throw error;
  // What its store refuses is for an operator to see to: no request waits for that.
  const isLeft = isLong || !mayPass(error);
  const hint = "Call with the runId again in a minute. Do not run the script again: it may go on.";
  const message = `The runs cannot be looked at now: ${error.code}.`;
  const findings = [{ severity: "info", code: "RUN_CONTINUES", message, hint } as const];
  return { id, begunAt: 0, isCancelled: false, isLeft, findings };
}

function toState(overview: RunOverview): RunState {
  const { id, begunAt, state, answer, endedAt, error } = overview;
  const hasEnded = answer !== undefined && endedAt !== undefined;
  const ended = hasEnded ? { at: endedAt, result: toRunResult({ ...answer, runId: id }) } : undefined;
  const isLeft = state === "blocked";
  return { id, begunAt, isCancelled: error === "RUN_CANCELLED", findings: describe(overview), isLeft, ended };
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
