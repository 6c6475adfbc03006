import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Observer, RequestFacts, RequestObservation, SessionFacts } from "../../schemas/run/observer.ts";
import { readTraceContext } from "../../schemas/run/trace-context.ts";

/** Tells of a request to call a tool, from its arrival to its answer. Changes neither. */
export async function observeRequest<Answer extends object>(
  observer: Observer | undefined,
  facts: RequestFacts,
  answer: (observation: RequestObservation | undefined) => Promise<Answer>,
): Promise<Answer> {
  const observation = observer?.requestStarted?.(facts);
  if (observation === undefined) return answer(undefined);
  try {
    const result = await answer(observation);
    observation.ended?.({ isError: (result as { isError?: unknown }).isError === true });
    return result;
  } catch (error) {
    const rpcCode = error instanceof ProtocolError ? error.code : ProtocolErrorCode.InternalError;
    observation.ended?.({ isError: false, rpcCode });
    throw error;
  }
}

/** What a request says of itself. Where its `_meta` names no trace, the one of its HTTP request is taken. */
export function readRequestFacts(
  { mcpReq, sessionId, http }: ServerContext,
  client: string,
  protocolVersion: string | undefined,
): RequestFacts {
  const httpTrace = readHttpTrace(http?.req?.headers);
  const trace = readTraceContext(mcpReq._meta) ?? httpTrace;
  return {
    transport: http === undefined ? "stdio" : "http",
    requestId: mcpReq.id,
    client: client === "" ? undefined : client,
    sessionId,
    protocolVersion,
    trace,
    httpTrace,
  };
}

function readHttpTrace(headers: Headers | undefined): RequestFacts["httpTrace"] {
  const traceparent = headers?.get("traceparent");
  return readTraceContext({ traceparent, tracestate: headers?.get("tracestate") });
}

/** Of a server whose client has just opened a session. Over HTTP sessions have ids. */
export function readSessionFacts(server: Server): SessionFacts {
  const protocolVersion = server.getNegotiatedProtocolVersion();
  return {
    transport: server.transport?.sessionId === undefined ? "stdio" : "http",
    protocolVersion,
  };
}
