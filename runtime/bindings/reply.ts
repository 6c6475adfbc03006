import {
  ApprovalRefusedError,
  AuthenticationError,
  CodemodeError,
  SandboxLimitError,
  SchemaValidationError,
  ServerNotFoundError,
  ToolCallError,
  ToolNotFoundError,
} from "./errors.ts";

/**
 * The host's answer to a call, as JSON carries it. `content` holds what came beside structured content and says something else, `changed` what
 * a person has made of the call.
 */
export type SentReply =
  | { ok: true; value: unknown; content?: unknown[]; changed?: SentChange }
  | { ok: false; error: ToolErrorData };

/** A person has given the call another input, or a result in the place of the call. */
export type SentChange = { kind: "input"; input: unknown } | { kind: "result" };

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
  const about = { hint, serverId, toolName };
  const text = (key: string): string => {
    const value = data.details?.[key];
    return typeof value === "string" ? value : "";
  };
  const number = (key: string): number | undefined => {
    const value = data.details?.[key];
    return typeof value === "number" ? value : undefined;
  };
  const said = {
    status: number("status"),
    retryAfterMs: number("retryAfterMs"),
    code: text("code") || undefined,
    data: data.details?.["data"],
  };
  switch (errorClass) {
    case "SchemaValidationError":
      return new SchemaValidationError(message, {
        ...about,
        exportName: text("exportName"),
        pointer: text("pointer"),
        expected: text("expected"),
        received: text("received"),
        example: data.details?.["example"],
      });
    case "ToolNotFoundError":
      return new ToolNotFoundError(message, about);
    case "ServerNotFoundError":
      return new ServerNotFoundError(message, about);
    case "SandboxLimitError":
      return new SandboxLimitError(message, { hint, limit: text("limit") });
    case "ApprovalRefusedError":
      return new ApprovalRefusedError(message, { ...about, reason: text("reason") });
    case "AuthenticationError":
      return new AuthenticationError(message, { ...about, ...said });
    default:
      return new ToolCallError(message, { ...about, ...said });
  }
}
