import type { Diagnostic } from "../../schemas/answer.ts";
import type { ToolCall, ToolError } from "../../schemas/tools.ts";
import { UserError } from "../../schemas/user-error.ts";
import { ConnectionError } from "./connections/connection-error.ts";

/**
 * What a script may know of a failed connection or call. Only a server's own JSON-RPC error is passed on:
 * other messages can hold commands and paths of this machine, which belong on the operator's screen.
 */
export function toToolError(error: unknown, { serverId, toolName }: ToolCall): ToolError {
  if (!(error instanceof ConnectionError)) return notConnected(serverId);
  switch (error.kind) {
    case "rpc-error":
      return { errorClass: "ToolCallError", message: error.message, hint: error.hint };
    case "timeout":
      return toolCallError(
        `The tool "${toolName}" of "${serverId}" did not answer in time.`,
        "Ask it for less, or try again.",
      );
    case "too-large":
      return toolCallError(`The answer of "${toolName}" was too large to receive.`, "Ask the tool for less at once.");
    case "unauthorized":
    case "forbidden":
      return {
        errorClass: "AuthenticationError",
        message: `The server "${serverId}" refused the credentials (${error.kind}).`,
        hint: error.kind === "unauthorized" ? `Log in with \`codemode login ${serverId}\`.` : "Ask for access to it.",
      };
    case "closed":
    case "protocol":
    case "cancelled":
    case "http-error":
    case "interrupted":
    case "session-lost":
      return toolCallError(
        `The call of "${toolName}" was broken off by the server "${serverId}" (${error.kind}).`,
        "Try again.",
      );
    default:
      return notConnected(serverId);
  }
}

/** The finding about a server that a script wants and that cannot be reached. */
export function toServerDiagnostic(error: unknown, serverId: string): Diagnostic {
  const { message, hint, errorClass } = notConnected(serverId);
  const reason =
    error instanceof ConnectionError ? ` (${error.kind})` : error instanceof UserError ? ` (${error.code})` : "";
  return {
    severity: "warning",
    code: "SERVER_UNAVAILABLE",
    message: message.replace(/\.$/, `${reason}.`),
    hint,
    errorClass,
  };
}

function notConnected(serverId: string): ToolError {
  return {
    errorClass: "ServerNotFoundError",
    message: `The server "${serverId}" could not be reached.`,
    hint: `Check it with \`codemode lock ${serverId}\`.`,
  };
}

function toolCallError(message: string, hint: string): ToolError {
  return { errorClass: "ToolCallError", message, hint };
}
