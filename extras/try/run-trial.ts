import type { HostEvent, Project } from "../../library/index.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../schemas/json/json.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";

/** What a trial has shown. Tokens are estimates, made without a tokenizer of a model. */
export interface Trial {
  servers: readonly { id: string; tools: number }[];
  answer: RunAnswer;
  /** From the script to the answer, in milliseconds. */
  runMs: number;
  calls: number;
  /** The tools that the script could call. */
  allowed: readonly string[];
  /** Arguments and results of all calls, as an agent reads them that makes them one by one. */
  plainTokens: number;
  scriptTokens: number;
  answerTokens: number;
  /** What the changed server says in another way. */
  changes: readonly ServerChange[];
  /** The answer to the same script after the change. */
  stopped: RunAnswer;
}

/**
 * Locks the servers of a project, runs a script against them as an agent does, and runs it again when a server has changed.
 * @param code the script that an agent sends
 * @param open opens the project; `isChanged` with a server that has changed since it was locked
 */
export async function runTrial(
  code: string,
  open: (isChanged: boolean) => Promise<Project>,
  signal?: AbortSignal,
): Promise<Trial> {
  const project = await open(false);
  const { lockfile } = await project.lock({ signal });
  const counts = { calls: 0, tokens: 0, allowed: [] as string[] };
  const { answer, runMs } = await runOnce(project, code, signal, countCalls(counts));
  const changed = await open(true);
  const { changes } = await changed.diff({ signal });
  const stopped = await runOnce(changed, code, signal);
  return {
    servers: [...lockfile.servers.values()].map(({ id, tools }) => ({ id, tools: tools.length })),
    ...{ answer, runMs, calls: counts.calls, allowed: counts.allowed, plainTokens: counts.tokens },
    scriptTokens: estimateTokens(code),
    answerTokens: estimateTokens(JSON.stringify(answer, withoutTimes)),
    ...{ changes, stopped: stopped.answer },
  };
}

/** Times are others in every run: the count is not. */
function withoutTimes(key: string, value: unknown): unknown {
  return key === "timeMs" || key === "durationMs" ? 0 : value;
}

/** The tool for agents, called once. */
async function runOnce(
  project: Project,
  code: string,
  signal: AbortSignal | undefined,
  hear?: (event: HostEvent) => void,
) {
  const engine = await project.openEngine({ signal, concurrency: 1, observers: hear && [hear], drift: "review" });
  try {
    const begun = performance.now();
    const answer = await engine.describeTool().call({ code }, { signal });
    return { answer, runMs: performance.now() - begun };
  } finally {
    await engine.close();
  }
}

function countCalls(counts: { calls: number; tokens: number; allowed: string[] }): (event: HostEvent) => void {
  return (event) => {
    if (event.type === "reviewed")
      counts.allowed = event.tools().map(({ serverId, toolName }) => `${serverId}/${toolName}`);
    if (event.type !== "call-settled") return;
    counts.calls += 1;
    counts.tokens += estimateTokens(JSON.stringify(event.input())) + estimateTokens(textOf(event.result()));
  };
}

/** The texts of a result, which a model reads. */
function textOf(result: JsonObject | undefined): string {
  const content = result === undefined ? undefined : ownValue(result, "content");
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.map((block) => ownValue(block, "text") ?? "").join("\n");
}
