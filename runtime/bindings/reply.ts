import {
  AuthenticationError,
  CodemodeError,
  SandboxLimitError,
  SchemaValidationError,
  ServerNotFoundError,
  ToolCallError,
  ToolNotFoundError,
} from "./errors.ts";

/** The host's answer to a call, as JSON carries it. `content` holds what came beside structured content and says something else. */
export type ToolReply = { ok: true; value: unknown; content?: unknown[] } | { ok: false; error: ToolErrorData };

/** An error as JSON carries it. */
export interface ToolErrorData {
  errorClass: string;
  message: string;
  hint: string;
  details?: Record<string, unknown>;
}

/** Rebuilds the error of a reply; a class that this runtime does not know becomes a `ToolCallError`. */
export function toCodemodeError(data: ToolErrorData, tool: { serverId: string; toolName: string }): CodemodeError {
  const { errorClass, message, hint } = data;
  const { serverId, toolName } = tool;
  const text = (key: string): string => {
    const value = data.details?.[key];
    return typeof value === "string" ? value : "";
  };
  switch (errorClass) {
    case "SchemaValidationError":
      return new SchemaValidationError(message, {
        hint,
        serverId,
        toolName,
        exportName: text("exportName"),
        pointer: text("pointer"),
        expected: text("expected"),
        received: text("received"),
        example: data.details?.["example"],
      });
    case "ToolNotFoundError":
      return new ToolNotFoundError(message, { hint, serverId, toolName });
    case "ServerNotFoundError":
      return new ServerNotFoundError(message, { hint, serverId });
    case "SandboxLimitError":
      return new SandboxLimitError(message, { hint, limit: text("limit") });
    case "AuthenticationError":
      return new AuthenticationError(message, { hint, serverId, toolName });
    default:
      return new ToolCallError(message, { hint, serverId, toolName });
  }
}
