import { nearestName } from "./nearest-name.ts";

/** Why a call came to nothing, as an error that a script may see. */
export interface CallFailure {
  errorClass: "AuthenticationError" | "ServerNotFoundError" | "ToolCallError" | "ToolNotFoundError";
  message: string;
  hint: string;
}

interface CalledTool {
  serverId: string;
  toolName: string;
}

/**
 * Words the failure of a call. Only a server's own JSON-RPC error is passed on: other messages can hold commands and
 * paths of the machine, which are not the script's to know.
 */
export function describeCallFailure(
  { kind, message, hint }: { kind: string; message: string; hint: string },
  { serverId, toolName }: CalledTool,
): CallFailure {
  switch (kind) {
    case "rpc-error":
      return { errorClass: "ToolCallError", message, hint };
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
        message: `The server "${serverId}" refused the credentials (${kind}).`,
        hint: kind === "unauthorized" ? `Log in with \`codemode login ${serverId}\`.` : "Ask for access to it.",
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
      return describeNotConnected(serverId);
  }
}

/** The server is known, and could not be started or reached. */
export function describeNotConnected(serverId: string): CallFailure {
  return {
    errorClass: "ServerNotFoundError",
    message: `The server "${serverId}" could not be reached.`,
    hint: `Check it with \`codemode lock ${serverId}\`.`,
  };
}

/** Nobody knows the server. */
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
    message: `The server "${serverId}" has no tool "${toolName}".`,
    hint: didYouMean(toolName, known, otherwise),
  };
}

/** The hint for a name that is not there: the nearest one that is, or something else to do. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const nearest = nearestName(name, [...known]);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

function toolCallError(message: string, hint: string): CallFailure {
  return { errorClass: "ToolCallError", message, hint };
}
