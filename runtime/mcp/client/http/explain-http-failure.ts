import { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import { parseIncoming, readRpcError, type RequestId, type RpcError } from "../wire/json-rpc.ts";
import { toStandardHeaders } from "./header-annotations.ts";
import { HttpRefusal } from "./http-requests.ts";

/** What the system says of a connection that did not come about, for people. */
const NETWORK_PROBLEMS: Readonly<Record<string, string>> = {
  EHOSTUNREACH: "there is no way to its host",
  ENETUNREACH: "there is no way to its network",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "its name cannot be looked up",
  ETIMEDOUT: "its host does not answer",
  UND_ERR_CONNECT_TIMEOUT: "its host does not answer",
};

/** The connection was there, and broke. */
const BREAKS = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

/** The exchange that failed. */
export interface Exchange {
  action: string;
  hadSession: boolean;
}

/** Turns what an exchange over HTTP fails with into our own errors; undefined for what has another origin. */
export function explainHttpFailure(
  error: unknown,
  failures: ConnectionFailures,
  exchange: Exchange,
): ConnectionError | undefined {
  if (error instanceof ConnectionError) return error;
  return error instanceof HttpRefusal
    ? explainRefusal(error, failures, exchange)
    : explainNetworkProblem(error, failures);
}

function explainRefusal(
  { status, body, facts, missingScope }: HttpRefusal,
  failures: ConnectionFailures,
  { action, hadSession }: Exchange,
): ConnectionError {
  if (status === 401) return failures.unauthorized();
  if (status === 403) return failures.forbidden(missingScope === "" ? undefined : missingScope);
  // 404 is what the specification wants; well-known servers answer 400 and say it in words.
  if (hadSession && (status === 404 || (status === 400 && /session/i.test(body)))) return failures.sessionLost();
  const said = readRpcError(body);
  return said === undefined
    ? failures.httpError(action, body, { ...facts, status })
    : failures.rpcError(action, said, { ...facts, status });
}

/** Since MCP 2026-07-28 a response with HTTP 400 may hold the answer of JSON-RPC; undefined for any other failure. */
export function toOwnError(error: unknown, id: RequestId, message: JsonObject): RpcError | undefined {
  const isModern = toStandardHeaders(message)["mcp-method"] !== undefined;
  if (!(error instanceof HttpRefusal) || error.status !== 400 || !isModern) return undefined;
  const isOwn = parseIncoming(error.body).some((each) => each.kind === "response" && each.message["id"] === id);
  return isOwn ? readRpcError(error.body) : undefined;
}

/** Says what kept a request from its answer below HTTP; undefined for what has another origin. */
export function explainNetworkProblem(error: unknown, failures: ConnectionFailures): ConnectionError | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { code, message } = (error.cause ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== "string") {
    if (error.message === "terminated") return failures.interrupted();
    return error.message === FETCH_FAILED && typeof message === "string"
      ? failures.unreachable(message === BAD_PORT ? "no HTTP client calls its port" : message)
      : undefined;
  }
  if (BREAKS.has(code)) return failures.interrupted();
  if (code === "ECONNREFUSED") return failures.unreachable(`connection refused at ${placeOf(error.cause)}`);
  return failures.unreachable(NETWORK_PROBLEMS[code] ?? (typeof message === "string" ? message : code));
}

/** What `fetch` says of all that goes wrong before there is a response; the reason is in the cause. */
const FETCH_FAILED = "fetch failed";

/** Of a port that the Fetch standard blocks. */
const BAD_PORT = "bad port";

/** The address that refused; the first of several, where a name has some. */
function placeOf(cause: unknown): string {
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  const { address, port } = first as { address?: unknown; port?: unknown };
  return typeof address === "string" && typeof port === "number" ? `${address}:${port}` : "its address";
}
