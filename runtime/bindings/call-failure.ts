import { nearestTool } from "./nearest-name.ts";

/** A value that JSON text can carry. */
export type JsonData = null | boolean | number | string | JsonData[] | { [key: string]: JsonData };

/** Why a call came to nothing, as an error that a script may see. */
export interface CallFailure {
  errorClass: "AuthenticationError" | "ServerNotFoundError" | "ToolCallError" | "ToolNotFoundError";
  message: string;
  hint: string;
  /** The fields `status`, `retryAfterMs` and `data` of the error, as far as they are known. */
  details?: Record<string, JsonData>;
}

/** What went wrong with a call, as a link tells it. */
export interface FailedExchange {
  kind: string;
  message: string;
  hint: string;
  /** The limit that was reached: milliseconds with `timeout`, bytes with `too-large`. */
  limit?: number | undefined;
  /** The HTTP status, where one was the reason. */
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  /** What a JSON-RPC error has beside its message. */
  data?: JsonData | undefined;
  /** What the server said, in one line. */
  said?: string | undefined;
}

/** Who reads a hint: a person at the command line or in the editor, or an agent, which has no shell. */
type Audience = "person" | "agent";

interface CalledTool {
  serverId: string;
  toolName: string;
}

/**
 * Words the failure of a call. Only a server's own JSON-RPC error is passed on: other messages can hold commands and
 * paths of the machine, which are not the script's to know.
 */
export function describeCallFailure(
  failed: FailedExchange,
  called: CalledTool,
  audience: Audience = "person",
): CallFailure {
  const { status, retryAfterMs, data } = failed;
  const details = Object.fromEntries(
    Object.entries({ status, retryAfterMs, data }).filter(
      (entry): entry is [string, JsonData] => entry[1] !== undefined,
    ),
  );
  const failure = wordFailure(failed, called, audience);
  return Object.keys(details).length === 0 ? failure : { ...failure, details };
}

function wordFailure(failed: FailedExchange, called: CalledTool, audience: Audience): CallFailure {
  const { kind, message, hint, limit, status, retryAfterMs, said } = failed;
  const { serverId, toolName } = called;
  switch (kind) {
    case "rpc-error":
      return { errorClass: "ToolCallError", message, hint: isPassingStatus(status) ? retryHint(retryAfterMs) : hint };
    case "timeout":
      return toolCallError(
        `The ${nameOfCalled(toolName)} of "${serverId}" did not answer ${limit === undefined ? "in time" : `within ${limit / 1000} s`}.`,
        `Ask it for less at a time, or raise "timeoutMs" of "${serverId}" in "mcpServers".`,
      );
    case "too-large":
      return toolCallError(
        `The answer of "${toolName}" was too large to receive${limit === undefined ? "" : `: the limit is ${limit} bytes`}.`,
        "Ask the tool for less at once.",
      );
    case "unauthorized":
    case "forbidden":
      return {
        errorClass: "AuthenticationError",
        message: `The server "${serverId}" refused the credentials (${kind}).`,
        hint: kind === "unauthorized" ? loginHint(serverId, audience) : "Ask for access to it.",
      };
    case "http-error":
      return toolCallError(
        `The server "${serverId}" answered the call of "${toolName}" with HTTP ${status ?? "error"}${said === undefined ? "" : `: ${said}`}`,
        isPassingStatus(status) ? retryHint(retryAfterMs) : "Change the input: the server refuses this call as it is.",
      );
    case "protocol":
      return toolCallError(
        `The answer of "${toolName}" of the server "${serverId}" cannot be used (protocol)${said === undefined ? "." : `: ${said}`}`,
        "Do without it, or tell the user: it is a fault of the server.",
      );
    case "closed":
    case "cancelled":
    case "interrupted":
    case "session-lost":
      return toolCallError(
        `The call of "${toolName}" was broken off by the server "${serverId}" (${kind}).`,
        "Try again.",
      );
    default:
      return describeNotConnected(serverId, audience);
  }
}

/** Whether the status of a response says that the same request may work later: it says nothing of what was asked. */
export function isPassingStatus(status: number | undefined): boolean {
  return status !== undefined && (status === 408 || status === 425 || status === 429 || status >= 500);
}

function retryHint(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? "Try again." : `Try again after ${Math.ceil(retryAfterMs / 1_000)} s.`;
}

/** What servers say that ask their client for something in the middle of a call, and get nothing. */
const MISSING_CLIENT = /client does not support (.*)|requires task/i;
const MISSING_PART = /elicitation|sampling|roots|tasks?/i;

/** What to do about a tool that only other clients can use; undefined where its message says nothing of the kind. */
export function hintForMissingClient(message: string): string | undefined {
  const match = MISSING_CLIENT.exec(message);
  if (match === null) return undefined;
  const [, missing] = match;
  const part = missing === undefined ? "tasks" : MISSING_PART.exec(missing)?.[0].toLowerCase();
  return part && `This tool needs a client that offers ${part}; it cannot be used from scripts.`;
}

/** The server is known, and could not be started or reached. */
export function describeNotConnected(serverId: string, audience: Audience = "person"): CallFailure {
  return {
    errorClass: "ServerNotFoundError",
    message: `The server "${serverId}" could not be reached.`,
    hint:
      audience === "person"
        ? `Check it with \`codemode lock ${serverId}\`.`
        : "Do without it, or tell the user that it cannot be reached.",
  };
}

function loginHint(serverId: string, audience: Audience): string {
  return audience === "person"
    ? `Log in with \`codemode login ${serverId}\`.`
    : "Tell the user: a person has to log in to it.";
}

/** The server is unknown. */
export function describeUnknownServer(serverId: string, known: Iterable<string>, otherwise: string): CallFailure {
  return {
    errorClass: "ServerNotFoundError",
    message: `There is no server "${serverId}".`,
    hint: didYouMean(serverId, known, otherwise),
  };
}

/** The server has no such tool. */
export function describeUnknownTool(
  { serverId, toolName }: CalledTool,
  known: Iterable<string>,
  otherwise: string,
): CallFailure {
  return {
    errorClass: "ToolNotFoundError",
    message: `The server "${serverId}" has no ${nameOfCalled(toolName)}.`,
    hint: didYouMean(toolName, known, otherwise),
  };
}

/** The hint for a name that is not there: the nearest one that is, or something else to do. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const nearest = nearestTool(name, [...known]);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

/** How messages call what was called: `tool "echo"`, `prompt "review"`. */
function nameOfCalled(toolName: string): string {
  const [, kind, name] = /^(resource|prompt):(.*)$/s.exec(toolName) ?? [];
  return kind === undefined ? `tool "${toolName}"` : `${kind} "${name}"`;
}

function toolCallError(message: string, hint: string): CallFailure {
  return { errorClass: "ToolCallError", message, hint };
}
