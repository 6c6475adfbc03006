import { asJson } from "../../schemas/json/json.ts";
import { type Diagnostic, failedAnswer } from "../../schemas/run/answer.ts";
import type { ToolCallResult } from "../surface.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import { KEPT_MINUTES } from "../bounded-cache.ts";
import type { RunNews } from "./runs.ts";

/**
 * What a request is answered with.
 * @param tool how the client names the tool that takes a run id
 */
export function toCallResult(news: Exclude<RunNews, { kind: "asks" }>, tool: string): ToolCallResult {
  const late = news.isLate === true ? [LATE] : [];
  if (news.kind === "ended") return withFindings(news.result, late);
  if (news.kind === "lost") return toRunResult(failedAnswer([RUN_LOST]));
  const { id, logs, findings } = news;
  return toRunResult({ ...failedAnswer([...late, ...findings, describeContinuing(id, tool)]), logs, runId: id });
}

/** Of an answer to a question that is not open any more: it went to no other question. */
export const LATE: Diagnostic = {
  severity: "warning",
  code: "ANSWER_UNUSED",
  message: "The question was answered before, or its time is over: this answer was not used.",
  hint: "There is nothing to do: what comes with this is the answer of the run.",
};

function withFindings(result: ToolCallResult, findings: readonly Diagnostic[]): ToolCallResult {
  const { structuredContent } = result;
  const known = structuredContent?.["diagnostics"];
  if (findings.length === 0) return result;
  const said = findings.map(({ code, message }) => ({ type: "text", text: `${code}: ${message}` }));
  const whole = Array.isArray(known)
    ? { structuredContent: { ...structuredContent, diagnostics: [...known, ...findings.map(asJson)] } }
    : {};
  return { ...result, ...whole, content: [...result.content, ...said] };
}

export function describeContinuing(runId: string, tool: string): Diagnostic {
  return {
    severity: "info",
    code: "RUN_CONTINUES",
    message: "The run is not over yet.",
    hint: `Do not run the script again. Call ${tool} with { "runId": "${runId}" } alone to wait for its answer, or with "cancel": true to end it.`,
  };
}

/** Each cause that it can have: which one it is would tell of runs of others. */
export const WHY_LOST = `it never was, it was begun in another session of a client without a name, its answer was read before, or was not read within ${KEPT_MINUTES} minutes, or codemode was started again since`;

/** The same for every id, so that it tells nothing of runs of others. */
export const RUN_LOST: Diagnostic = {
  severity: "error",
  code: "RUN_LOST",
  message: `No run of this client has this id: ${WHY_LOST}.`,
  hint: "Find out what the script has done so far, then run it again if needed.",
};
