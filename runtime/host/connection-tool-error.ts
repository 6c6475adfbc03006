import { describeCallFailure, describeNotConnected } from "@codemode/runtime/call-failure";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { ToolCall, ToolError } from "../../schemas/lock/tools.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";

/** What a script may know of a failed connection or call. */
export function toToolError(error: unknown, call: ToolCall, audience: Audience = "person"): ToolError {
  return error instanceof ConnectionError
    ? describeCallFailure(error, call, audience)
    : describeUnstarted(error, call.serverId, audience);
}

/** The finding about a server that a script wants and that cannot be reached. */
export function toServerDiagnostic(error: unknown, serverId: string, audience: Audience = "person"): Diagnostic {
  const { message, hint, errorClass } = describeUnstarted(error, serverId, audience);
  const found = { severity: "warning", code: "SERVER_UNAVAILABLE", errorClass } as const;
  if (isLimit(error)) return { ...found, message, hint };
  // The text names a variable and holds no value.
  if (error instanceof CodemodeError && error.code === "VARIABLE_UNSET" && audience === "person") {
    return { ...found, message: `${message} ${error.message}`, hint: error.hint };
  }
  const reason =
    error instanceof ConnectionError ? ` (${error.kind})` : error instanceof CodemodeError ? ` (${error.code})` : "";
  return { ...found, message: message.replace(/\.$/, `${reason}.`), hint };
}

function describeUnstarted(error: unknown, serverId: string, audience: Audience): ToolError {
  const failure = describeNotConnected(serverId, audience);
  if (!isLimit(error)) return failure;
  const message = `The server "${serverId}" was not started: as many servers of single clients run as may run at once.`;
  return {
    ...failure,
    message,
    hint: audience === "agent" ? "Try again later: unused servers end after some minutes." : error.hint,
  };
}

function isLimit(error: unknown): error is CodemodeError {
  return error instanceof CodemodeError && error.code === "SERVER_LIMIT";
}
