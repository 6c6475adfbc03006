import { describeCallFailure, describeNotConnected } from "@codemode/runtime/call-failure";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Reader } from "../../schemas/reader.ts";
import type { ToolCall, ToolError } from "../../schemas/lock/tools.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";

/** What a script may know of a failed connection or call. */
export function toToolError(error: unknown, call: ToolCall, reader: Reader = "person"): ToolError {
  return error instanceof ConnectionError
    ? describeCallFailure(error, call, reader)
    : describeNotConnected(call.serverId, reader);
}

/** The finding about a server that a script wants and that cannot be reached. */
export function toServerDiagnostic(error: unknown, serverId: string, reader: Reader = "person"): Diagnostic {
  const { message, hint, errorClass } = describeNotConnected(serverId, reader);
  // The text names a variable and holds no value.
  if (error instanceof CodemodeError && error.code === "VARIABLE_UNSET" && reader === "person") {
    const { message: cause, hint: remedy } = error;
    return {
      severity: "warning",
      code: "SERVER_UNAVAILABLE",
      message: `${message} ${cause}`,
      hint: remedy,
      errorClass,
    };
  }
  const reason =
    error instanceof ConnectionError ? ` (${error.kind})` : error instanceof CodemodeError ? ` (${error.code})` : "";
  return {
    severity: "warning",
    code: "SERVER_UNAVAILABLE",
    message: message.replace(/\.$/, `${reason}.`),
    hint,
    errorClass,
  };
}
