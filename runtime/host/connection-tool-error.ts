import { describeCallFailure, describeNotConnected } from "@codemode/runtime/call-failure";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Audience } from "../../schemas/audience.ts";
import { sayUnreachable } from "../../schemas/run/unreachable-server.ts";
import type { ToolCall, CallError } from "../../schemas/lock/tools.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { ConnectionError, type ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";

/** A call that was not sent, because what has to be kept before it could not be kept. */
class UnsentCall extends Error {
  override readonly name = "UnsentCall";
  override readonly cause: CodemodeError;

  constructor(cause: CodemodeError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** What a script may know of a failed connection or call. */
export function toToolError(error: unknown, call: ToolCall, audience: Audience = "person"): CallError {
  if (error instanceof UnsentCall) return describeUnsent(error, call, audience);
  return error instanceof ConnectionError
    ? describeCallFailure(error, call, audience)
    : describeUnstarted(error, call.serverId, audience);
}

/** The finding about a server that a script wants and that cannot be reached. */
export function toServerDiagnostic(error: unknown, serverId: string, audience: Audience = "person"): Diagnostic {
  const { message, hint, errorClass } = describeUnstarted(error, serverId, audience);
  const found = { severity: "warning", code: "SERVER_UNAVAILABLE", errorClass } as const;
  // A person at this machine may read its paths, and what its program has said; a script may not.
  if (error instanceof CodemodeError && audience === "person" && error.code !== "SERVER_LIMIT")
    return { ...found, message: `The server "${serverId}" could not be reached. ${error.message}`, hint: error.hint };
  if (error instanceof ConnectionError && audience === "person") {
    const said = error.message.replace(`server "${error.serverName}" `, () => "it ");
    const why = said.replace(/^it cannot be reached: |\.$/g, "");
    return { ...found, message: sayUnreachable(serverId, why), hint: error.hint };
  }
  const reason = error instanceof ConnectionError ? ` (${REASONS[error.kind] ?? error.kind})` : "";
  return { ...found, message: message.replace(/\.$/, `${reason}.`), hint };
}

/** For agents, in words of our own: the message of the error may have some of the server's, and paths of this machine. */
const REASONS: { readonly [Kind in ConnectionErrorKind]?: string } = {
  "command-not-found": "there is no such command",
  "start-failed": "its program ended while it was starting",
  timeout: "it did not answer in time",
  unreachable: "nothing answers at its address",
  unauthorized: "it refused the credentials",
  forbidden: "it refused access",
  protocol: "it does not speak MCP",
  closed: "its connection was closed",
  interrupted: "its connection broke",
  "session-lost": "it has lost its session",
  "too-large": "its answer is too long",
  "http-error": "it answered with an HTTP error",
};

/** What is wrong with the configuration, in sentences that hold no value and no path: an agent hears them too. */
const SAYABLE: ReadonlySet<string> = new Set(["INVALID_OPTION", "VARIABLE_UNSET", "CONFIG_INVALID"]);

function describeUnsent({ cause }: UnsentCall, { serverId, toolName }: ToolCall, audience: Audience): CallError {
  return {
    errorClass: "ToolCallError",
    message: `The call of "${serverId}/${toolName}" was not sent: the run could not be kept before it (${cause.code}).`,
    hint: audience === "person" ? cause.hint : "Run the script again in a minute. If this stays, tell the user.",
  };
}

function describeUnstarted(error: unknown, serverId: string, audience: Audience): CallError {
  const failure = describeNotConnected(serverId, audience);
  if (!(error instanceof CodemodeError)) return failure;
  if (error.code === "SERVER_LIMIT") {
    const message = `The server "${serverId}" was not started: as many servers of single clients run as may run at once.`;
    const hint = audience === "agent" ? "Try again later: unused servers end after some minutes." : error.hint;
    return { ...failure, message, hint };
  }
  const why = SAYABLE.has(error.code) ? error.message : "codemode does not start it as it is configured.";
  const hint = audience === "person" ? error.hint : `${failure.hint} Tell the user what is missing.`;
  return { ...failure, message: `${failure.message} ${why}`, hint };
}

/** Whether it is not known what the server has done with a call. */
export function isBroken(error: unknown): boolean {
  return error instanceof ConnectionError && BROKEN.has(error.kind);
}

const BROKEN: ReadonlySet<ConnectionErrorKind> = new Set([
  "closed",
  "http-error",
  "interrupted",
  "protocol",
  "session-lost",
]);

/** Ends a call that could not be kept before it would have been sent. */
export function failUnsent(error: unknown): never {
  throw error instanceof CodemodeError ? new UnsentCall(error) : error;
}
