import { nearestTool } from "./nearest-name.ts";

/** Why a call came to nothing, as an error that a script may see. */
export interface CallFailure {
  errorClass: "AuthenticationError" | "ServerNotFoundError" | "ToolCallError" | "ToolNotFoundError";
  message: string;
  hint: string;
}

/** What went wrong with a call, as a link tells it. */
export interface FailedExchange {
  kind: string;
  message: string;
  hint: string;
  /** The limit that was reached: milliseconds with `timeout`, bytes with `too-large`. */
  limit?: number | undefined;
}

/** Who reads a hint: a person at the command line or in the editor, or an agent, which has no shell. */
export type Audience = "person" | "agent";

interface CalledTool {
  serverId: string;
  toolName: string;
}

/**
 * Words the failure of a call. Only a server's own JSON-RPC error is passed on: other messages can hold commands and
 * paths of the machine, which are not the script's to know.
 */
export function describeCallFailure(
  { kind, message, hint, limit }: FailedExchange,
  { serverId, toolName }: CalledTool,
  audience: Audience = "person",
): CallFailure {
  switch (kind) {
    case "rpc-error":
      return { errorClass: "ToolCallError", message, hint };
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
    case "closed":
    case "protocol":
    case "cancelled":
    case "http-error":
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
