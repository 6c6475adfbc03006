import type { DurableRuns } from "../../engine/extras.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import type { RunElsewhere, RunSource } from "./runs-elsewhere.ts";

/** The durable runs of one client that this process has not begun, or whose answer was read before. */
export function durableSource(durable: Promise<DurableRuns | undefined>, client: string | undefined): RunSource {
  const find = async (id: string): Promise<RunElsewhere | undefined> => {
    const found = await (await durable)?.find(id).catch(unlessCode("RUN_UNKNOWN", "RUN_DAMAGED"));
    return found !== undefined && found.client === client ? toRun(found) : undefined;
  };
  return {
    find,
    async cancel(id) {
      if ((await find(id)) !== undefined) await (await durable)?.cancel(id);
    },
  };
}

function toRun(overview: RunOverview): RunElsewhere {
  const { id, begunAt, state, answer, endedAt, error } = overview;
  const hasEnded = answer !== undefined && endedAt !== undefined;
  const ended = hasEnded ? { at: endedAt, result: toRunResult({ ...answer, runId: id }) } : undefined;
  return { id, begunAt, isCancelled: error === "RUN_CANCELLED", findings: describe(overview), isLeft: state === "blocked", ended };
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
