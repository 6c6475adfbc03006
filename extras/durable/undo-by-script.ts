import type { DoneCall, DurableRequest } from "../../engine/run/durable-extra.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { errorsOf, type RunAnswer } from "../../schemas/run/answer.ts";
import type { DurableStore } from "./run-store.ts";
import { undoRun } from "./undo-run.ts";

/**
 * Runs a script that takes back what a run has done: its input are the calls of that run, the last first. When it has ended well, they count as taken back.
 * Its key is of that run, so a second try goes on with the first.
 * @throws CodemodeError as `undoRun`
 */
export async function undoByScript(
  store: DurableStore,
  id: string,
  request: DurableRequest,
  begin: (request: DurableRequest) => Promise<RunAnswer>,
): Promise<RunAnswer> {
  let done: readonly DoneCall[] = [];
  await undoRun(store, id, (calls) => {
    done = calls;
    return [];
  });
  const answer = await begin({ ...request, key: request.key ?? `undo:${id}`, input: done.map(toInput) });
  if (errorsOf(answer.diagnostics).length > 0) return answer;
  await undoRun(store, id, (calls) => calls.map(() => nothing), answer.runId);
  return answer;
}

/** The script has done it. */
async function nothing(): Promise<void> {}

function toInput({ number, serverId, toolName, input, result }: DoneCall): JsonValue {
  return { call: number, tool: `${serverId}/${toolName}`, input, result };
}
