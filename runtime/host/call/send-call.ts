import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import type { CallOptions, RunCaller } from "@codemode/runtime/connections/server-connection";
import { isProgram } from "../../../schemas/config/program-server.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../../schemas/lock/tools.ts";
import type { OnCallSign } from "../../../schemas/run/events.ts";
import { CALL_NUMBER_META, RUN_KEY_META } from "../../../schemas/run/run-key.ts";
import type { GuardedConnection, Run } from "../run.ts";
import { makeProgressGate } from "./progress-gate.ts";

/** A call to be made, until the signal aborts. `onSign` is called while the server is at work, not too often. */
export type CallToMake = ToolCall & { signal: AbortSignal; onSign?: OnCallSign | undefined };

/**
 * Sends a call that was decided: within what traces it, and in the async context that its server may have.
 * @param server as the run knows it
 */
export function sendCall(
  { toolName, number, signal, onSign }: CallToMake,
  input: JsonObject,
  server: LockedServer | undefined,
  run: Run,
  connection: GuardedConnection,
  { taken, listener, leavesText }: Pick<CallOptions, "taken" | "listener" | "leavesText">,
): Promise<JsonObject> {
  const { request } = run;
  const { caller } = request;
  const tracing = request.enterCall?.(number ?? 1);
  const send = (): Promise<JsonObject> =>
    connection.callTool(toolName, input, {
      signal,
      taken,
      leavesText,
      meta: joinMeta(run.key, tracing?.meta, number),
      listener,
      onProgress: onSign && makeProgressGate(onSign),
      maxTotalMs: run.maxCallMs,
      caller,
    });
  const enterContext = contextOf(server, caller);
  return enterContext(() => (tracing === undefined ? send() : tracing.within(send)));
}

/** A socket that is kept for later requests must not hold the context of this one; the program's own tools are to see it. */
function contextOf(server: LockedServer | undefined, caller: RunCaller | undefined): typeof enter {
  return server !== undefined && isProgram(server) ? (caller?.within ?? enter) : outsideOfRequests;
}

const enter = <Value>(work: () => Value): Value => work();

/** What a call has in its `_meta`: the key of its run, its own number, and what traces it. */
function joinMeta(
  key: string | undefined,
  ofTrace: JsonObject | undefined,
  number: number | undefined,
): JsonObject | undefined {
  if (key === undefined) return ofTrace;
  const meta: JsonObject = { [RUN_KEY_META]: key };
  if (number !== undefined) meta[CALL_NUMBER_META] = number;
  return ofTrace === undefined ? meta : Object.assign(meta, ofTrace);
}
