import { setTimeout as delay } from "node:timers/promises";
import type { DurableRuns } from "../../engine/extras.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ToolCallResult } from "../surface.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import type { LongRuns, RunNews, RunState, WaitingRequest } from "./runs.ts";

const LOOK_EVERY_MS = 500;
/** How long a store may be away while a request waits. */
const AWAY_MS = 60_000;

/** The runs of one client, and those durable ones that this process has not begun, or whose answer was read before. */
export function makeDurableLongRuns(
  local: LongRuns,
  durable: Promise<DurableRuns | undefined>,
  { client, detachAfterMs }: { client: string | undefined; detachAfterMs: number },
): LongRuns {
  const find = async (id: string): Promise<RunOverview | undefined> => {
    const found = await (await durable)?.find(id).catch(unlessLost);
    return found?.client === client ? found : undefined;
  };
  const attend = async (id: string, { signal, waitsForEnd }: WaitingRequest): Promise<RunNews> => {
    const begun = performance.now();
    const until = detachAfterMs === 0 || waitsForEnd === true ? Infinity : begun + detachAfterMs;
    for (;;) {
      const found = await find(id).catch(describeAway);
      if (found === undefined) return { kind: "lost" };
      if ("code" in found) {
        // The run goes on meanwhile: whether its process is gone is known when the store is there again.
        if (signal.aborted || performance.now() > Math.min(until, begun + AWAY_MS))
          return { kind: "continues", id, logs: [], findings: [found] };
        await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      const ended = endOf(found);
      if (ended !== undefined) return { kind: "ended", result: ended.result };
      if (signal.aborted || performance.now() > until || found.state === "blocked")
        return { kind: "continues", id, logs: [], findings: describe(found) };
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const elsewhere = async (news: Promise<RunNews>, id: string, request: WaitingRequest): Promise<RunNews> => {
    const here = await news;
    return here.kind === "lost" ? attend(id, request) : here;
  };
  return {
    ...local,
    wait: (id, request) => elsewhere(local.wait(id, request), id, request),
    reply: (id, number, reply, request) => elsewhere(local.reply(id, number, reply, request), id, request),
    async cancel(id, request) {
      const here = await local.cancel(id, request);
      if (here.kind !== "lost" || (await find(id)) === undefined) return here;
      await (await durable)?.cancel(id);
      return attend(id, request);
    },
    async look(id, session): Promise<RunState | undefined> {
      const here = await local.look(id, session);
      const found = here === undefined ? await find(id) : undefined;
      if (found === undefined) return here;
      return { id, begunAt: found.begunAt, isCancelled: false, findings: describe(found), ended: endOf(found) };
    },
    async end(id) {
      await local.end(id);
      if ((await find(id)) !== undefined) await (await durable)?.cancel(id);
    },
  };
}

/** There is no such run, or nothing of it that can be read. */
function unlessLost(error: unknown): undefined {
  const isLost = error instanceof CodemodeError && (error.code === "RUN_UNKNOWN" || error.code === "RUN_DAMAGED");
  if (!isLost) throw error;
}

/** The runs cannot be looked at now, which says nothing of this one. */
function describeAway(error: unknown): Diagnostic {
  if (!(error instanceof CodemodeError)) throw error;
  const hint = "Call with the runId again in a minute. Do not run the script again: it may go on.";
  return { severity: "info", code: "RUN_CONTINUES", message: `The runs cannot be looked at now: ${error.code}.`, hint };
}

/** When a run has ended, and its answer. */
function endOf({ id, answer, endedAt }: RunOverview): { at: number; result: ToolCallResult } | undefined {
  if (answer === undefined || endedAt === undefined) return undefined;
  return { at: endedAt, result: toRunResult({ ...answer, runId: id }) };
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
