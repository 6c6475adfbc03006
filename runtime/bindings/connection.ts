import type { Connection, PerformCall } from "./connect-options.ts";
import { AuthenticationError, CodemodeError, ToolCallError } from "./errors.ts";
import { type PerformTool, registerCaller } from "./registered-callers.ts";
import { toReply } from "./reply-of-result.ts";

/** Makes the handle that `connect` gives out; `end` is called once. */
export function makeConnection(end: () => Promise<void>): Connection {
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => (ending ??= end());
  return {
    close,
    [Symbol.asyncDispose]: close,
    [Symbol.dispose]: () => void close(),
  };
}

/** Delegates all calls to a given function. */
export function connectByCall(call: PerformCall): Connection {
  const release = registerCaller({ serves: () => true, caller: toCaller(call) });
  return makeConnection(async () => release());
}

function toCaller(call: PerformCall): PerformTool {
  return async (tool, inputJson) => {
    const { serverId, toolName } = tool;
    let result: object;
    try {
      result = await call({ serverId, toolName, input: JSON.parse(inputJson) as unknown });
    } catch (error) {
      throw error instanceof CodemodeError ? error : explain(error, tool);
    }
    return toReply(result as Record<string, unknown>, tool);
  };
}

/** What the page around the call says of a failure may be seen: it is no stranger. */
function explain(error: unknown, tool: { serverId: string; toolName: string }): CodemodeError {
  const { status, message = String(error) } = (error ?? {}) as { status?: unknown; message?: string };
  const { serverId, toolName } = tool;
  const known =
    status === 401 || status === 403
      ? new AuthenticationError(
          `The server "${serverId}" refused the credentials (${status === 401 ? "unauthorized" : "forbidden"}).`,
          { serverId, toolName, hint: "Check the credentials of the connection." },
        )
      : new ToolCallError(`The call of "${toolName}" failed: ${message}`, {
          serverId,
          toolName,
          hint: "See the error's cause.",
        });
  return Object.assign(known, { cause: error });
}
