import type { JsonValue } from "../json/json.ts";

/** A call that a script makes: names as in the lockfile, input not yet checked. */
export interface ToolCall {
  serverId: string;
  toolName: string;
  input: JsonValue;
  /** Counts the calls of its run, from 1, without questions to the host; 1 unless given. */
  number?: number | undefined;
  /** Where the script makes it, as `script.ts:LINE:COLUMN`; what the sandbox says, for a person who is asked. */
  place?: string | undefined;
}

/**
 * The host's answer to a call: the unwrapped result (specification 5.3.2), or an error for the script to catch. `content` holds the content
 * blocks beside structured content, where they say something else; `changed`, what a person has made of the call.
 */
export type ToolReply =
  | { ok: true; value: JsonValue; content?: JsonValue[]; changed?: CallChange }
  | { ok: false; error: CallError };

/** A person has given the call another input, or a result in the place of the call. */
export type CallChange = { kind: "input"; input: JsonValue } | { kind: "result" };

/** An error as it crosses to the sandbox, where the binding throws the class of that name in `@codemode/errors`. */
export interface CallError {
  errorClass: ToolErrorClass;
  message: string;
  hint: string;
  /** Further fields of the class, for instance `pointer` of a `SchemaValidationError`. */
  details?: { [key: string]: JsonValue };
}

export type ToolErrorClass =
  | "ApprovalRefusedError"
  | "AuthenticationError"
  | "SandboxLimitError"
  | "SchemaValidationError"
  | "ServerNotFoundError"
  | "ToolCallError"
  | "ToolNotFoundError";
