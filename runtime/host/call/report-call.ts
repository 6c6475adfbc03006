import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { printedContent, withoutContent } from "@codemode/runtime/connections/printed-content";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../../schemas/lock/tools.ts";
import type { Emit, CallEnd, RunEvent } from "../../../schemas/run/events.ts";
import type { FindRuledTool } from "../checks/admit-call.ts";
import { jsonBytes } from "../json-bytes.ts";

/** What came of a call, and what its server sent. */
export type SettleCall = (outcome: Pick<CallEnd, "outcome" | "code" | "rpcCode">, result?: JsonObject) => void;

/** Reports that a call was checked. The function reports what came of it, and has to be called once; undefined where no one listens. */
export function reportCall(
  emit: Emit<RunEvent> | undefined,
  { serverId, toolName, input, number = 1 }: ToolCall,
  { servers }: Lockfile,
  find: FindRuledTool,
): SettleCall | undefined {
  if (emit === undefined) return undefined;
  const ruled = find(serverId, toolName);
  const checked = {
    ...{ serverId, toolName, number },
    ...{ server: ruled?.server ?? servers.get(serverId), tool: ruled?.tool, verdict: ruled?.verdict },
    input: () => input,
    inputBytes: () => jsonBytes(input),
  };
  emit({ type: "call-checked", ...checked });
  const startedAt = performance.now();
  return (outcome, result) =>
    emit({
      ...{ type: "call-settled", ...checked, ...outcome },
      durationMs: performance.now() - startedAt,
      result: () => result,
      resultBytes: () => (result === undefined ? 0 : resultBytes(result)),
    });
}

export function toAnsweredOutcome(result: JsonObject): Parameters<SettleCall>[0] {
  return { outcome: result["isError"] === true ? "tool_error" : "ok" };
}

/** @param isCancelled where the run has ended meanwhile */
export function toFailedOutcome(error: unknown, isCancelled: boolean): Parameters<SettleCall>[0] {
  if (isCancelled) return { outcome: "cancelled" };
  if (!(error instanceof ConnectionError)) return { outcome: "failed", code: "not-connected" };
  return { outcome: "failed", code: error.kind, rpcCode: error.code };
}

/** A long result is counted as the text that it still is. */
function resultBytes(result: JsonObject): number {
  const printed = printedContent(result);
  return printed === undefined ? jsonBytes(result) : printed.length + jsonBytes(withoutContent(result));
}
