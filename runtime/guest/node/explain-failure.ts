import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { LinkFailure } from "./link-failure.ts";

/** What was asked of whom when it failed. */
interface Exchange {
  /** The server's name in the configuration. */
  name: string;
  action: string;
  hadSession: boolean;
  timeoutMs: number;
}

/** The connection was there, and broke. */
const BREAKS: readonly unknown[] = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

/** Longest part of a server's own words that is quoted, in characters. */
const QUOTED = 300;

/** Says what an error of the SDK means. */
export function explainFailure(error: unknown, exchange: Exchange): LinkFailure {
  if (error instanceof LinkFailure) return error;
  const { name, action, timeoutMs } = exchange;
  if (error instanceof ProtocolError) {
    if (error.data instanceof LinkFailure) return error.data;
    const said = quote(error.message);
    return new LinkFailure("rpc-error", `server "${name}" refused ${quote(action)} with error ${error.code}: ${said}`);
  }
  if (error instanceof UnauthorizedError) return new LinkFailure("unauthorized", "it wants a login", { status: 401 });
  if (error instanceof SdkHttpError) return explainStatus(error.status, error, exchange);
  if (error instanceof SseError && error.code !== undefined) return explainStatus(error.code, error, exchange);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new LinkFailure("timeout", `server "${name}" did not answer ${quote(action)} in time`, { limit: timeoutMs });
  }
  if (error instanceof SdkError && error.cause !== undefined) return explainFailure(error.cause, exchange);
  if (error instanceof TypeError) return explainNetworkProblem(error);
  return new LinkFailure("protocol", error instanceof Error ? error.message : String(error), { cause: error });
}

function explainStatus(status: number, error: Error, { hadSession, action }: Exchange): LinkFailure {
  const options = { status, cause: error };
  if (status === 401) return new LinkFailure("unauthorized", "it wants a login (HTTP 401)", options);
  if (status === 403) return new LinkFailure("forbidden", "it refuses access (HTTP 403)", options);
  // 404 is what the specification wants; well-known servers answer 400 and say it in words.
  if (hadSession && (status === 404 || (status === 400 && /session/i.test(error.message)))) {
    return new LinkFailure("session-lost", "it has forgotten the session", options);
  }
  return new LinkFailure("http-error", `it answered ${action} with HTTP ${status}`, options);
}

/** `fetch` throws a TypeError for all that can go wrong on the way. */
function explainNetworkProblem(error: TypeError): LinkFailure {
  const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: unknown };
  const isBroken = BREAKS.includes(code) || (code === undefined && error.message === "terminated");
  const text = typeof message === "string" && message !== "" ? message : String(code ?? error.message);
  return new LinkFailure(isBroken ? "interrupted" : "unreachable", text, { cause: error });
}

/** Escape sequences of terminals (ECMA-48). */
// oxlint-disable-next-line no-control-regex
const TERMINAL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters, and the marks that reorder text on a screen. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function quote(text: string): string {
  const line = text
    .slice(0, QUOTED * 4)
    .replace(TERMINAL_SEQUENCES, "")
    .replace(/\s+/g, " ")
    .replace(UNPRINTABLE, "")
    .trim();
  return line.length <= QUOTED ? line : `${line.slice(0, QUOTED - 1)}…`;
}
