import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { accessVerdict } from "../../../schemas/access/access.ts";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { findOperation } from "../../../schemas/lock/operations.ts";
import type { ToolCall, ToolError } from "../../../schemas/lock/tools.ts";
import type { CallRules } from "../checks/admit-call.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { printedContent, withoutContent } from "@codemode/runtime/connections/printed-content";
import type { CallEnd, CallFacts, RunObservation } from "../../../schemas/run/observer.ts";

/** One call in progress, reported to observers. Exactly one of the functions must be called. */
export interface ObservedCall {
  /** For the request to the server. */
  meta: JsonObject | undefined;
  /** Makes the request. */
  within<Answer>(send: () => Answer): Answer;
  refused(error: ToolError): void;
  skipped(): void;
  answered(result: JsonObject): void;
  /** `isCancelled` where the run has ended meanwhile. */
  failed(error: unknown, isCancelled: boolean): void;
}

/** Makes the function that tells of calls, and counts them. */
export function makeCallObservation(
  observation: RunObservation,
  { lockfile, access }: Pick<CallRules, "lockfile" | "access">,
): (call: ToolCall) => ObservedCall | undefined {
  let number = 0;
  return ({ serverId, toolName, input }) => {
    number += 1;
    const server = lockfile.servers.get(serverId);
    const tool = findOperation(server, toolName);
    const facts: CallFacts = {
      serverId,
      toolName,
      number,
      server,
      tool,
      verdict: tool === undefined ? undefined : accessVerdict(access, serverId, tool),
      input: () => input,
      inputBytes: () => jsonBytes(input),
    };
    const observed = observation.callStarted?.(facts);
    if (observed === undefined) return undefined;
    const startedAt = performance.now();
    const end = (outcome: Pick<CallEnd, "outcome" | "code" | "rpcCode">, result?: JsonObject): void =>
      observed.ended?.({
        ...outcome,
        durationMs: performance.now() - startedAt,
        result: () => result,
        resultBytes: () => (result === undefined ? 0 : resultBytes(result)),
      });
    return {
      meta: observed.meta,
      within: (send) => (observed.within === undefined ? send() : observed.within(send)),
      refused: ({ errorClass }) => end({ outcome: "refused", code: errorClass }),
      skipped: () => end({ outcome: "skipped" }),
      answered: (result) => end({ outcome: result["isError"] === true ? "tool_error" : "ok" }, result),
      failed: (error, isCancelled) => end(isCancelled ? { outcome: "cancelled" } : toFailure(error)),
    };
  };
}

function toFailure(error: unknown): Pick<CallEnd, "outcome" | "code" | "rpcCode"> {
  if (!(error instanceof ConnectionError)) return { outcome: "failed", code: "not-connected" };
  return { outcome: "failed", code: error.kind, ...withoutUndefined({ rpcCode: error.code }) };
}

/** A long result is counted as the text that it still is. */
function resultBytes(result: JsonObject): number {
  const printed = printedContent(result);
  return printed === undefined ? jsonBytes(result) : printed.length + jsonBytes(withoutContent(result));
}

/** The bytes of a value as JSON; 0 where it is nested too deep to be printed. */
export function jsonBytes(value: JsonValue): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return 0;
  }
}
