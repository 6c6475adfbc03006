import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { VERSION } from "../../schemas/version.ts";
import { KEEP_ALIVE_MS } from "./http-listener.ts";
import { OpenRequests } from "./open-requests.ts";
import type { SessionFacts } from "./session-id.ts";
import { type SessionQuestions, watchQuestions } from "./session-questions.ts";
import type { SessionRelay } from "../store/session-relay.ts";
import { cancelledRequest, toMessages } from "./messages.ts";

/** A server and the transport that it speaks through, for one client of a revision that has sessions. */
export interface LegacySession {
  transport: WebStandardStreamableHTTPServerTransport;
  /** Settled when the transport takes requests. */
  ready: Promise<void>;
  requests: OpenRequests;
  questions: SessionQuestions;
  /** Responses that are being sent. */
  open: number;
  /** Milliseconds since the epoch. */
  usedAt: number;
}

/**
 * Makes a session with a given id. With `facts` it is one that was opened before, here or by another replica: it is opened
 * again as its client did then. Without, the request at hand does so.
 */
export function makeLegacySession(
  id: string,
  facts: SessionFacts | undefined,
  makeServer: () => Promise<Server>,
  relay?: SessionRelay,
): LegacySession {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const start = async (): Promise<void> => {
    const server = await makeServer();
    await server.connect(transport);
    if (facts !== undefined) await replayOpening(transport, id, facts);
  };
  const cancel = (requestId: string | number): void => {
    requests.remove(requestId);
    transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    transport.closeSSEStream(requestId);
  };
  const requests = new OpenRequests((requestId) => {
    const stop = relay?.expect(id, nameCancel(requestId), () => cancel(requestId as string | number));
    return () => stop?.();
  });
  const questions = watchQuestions(id, transport, relay);
  requests.watch(transport);
  return { transport, requests, questions, ready: start(), open: 0, usedAt: Date.now() };
}

const nameCancel = (requestId: JsonValue): string => `cancel ${JSON.stringify(requestId)}`;

/** The messages of a body that are for this replica; those that another one waits for are handed on. */
export function receiveMessages(
  id: string,
  { requests, questions }: LegacySession,
  body: JsonValue | undefined,
  relay: SessionRelay | undefined,
): JsonObject[] {
  return toMessages(body).flatMap((message): JsonObject[] => {
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined && !requests.has(cancelled)) relay?.send(id, nameCancel(cancelled));
    if (Object.hasOwn(message, "method") || !Object.hasOwn(message, "id")) return [message];
    const own = questions.receive(message);
    return own === undefined ? [] : [own];
  });
}

async function replayOpening(
  transport: WebStandardStreamableHTTPServerTransport,
  id: string,
  { protocolVersion, elicitation, clientName }: SessionFacts,
): Promise<void> {
  const { form, url } = elicitation;
  const modes = withoutUndefined({ form: form ? {} : undefined, url: url ? {} : undefined });
  const params = {
    protocolVersion,
    capabilities: form || url ? { elicitation: modes } : {},
    clientInfo: { name: clientName, version: VERSION },
  };
  await post(transport, {}, { jsonrpc: "2.0", id: "codemode-initialize", method: "initialize", params });
  const session = { "mcp-session-id": id, "mcp-protocol-version": protocolVersion };
  await post(transport, session, { jsonrpc: "2.0", method: "notifications/initialized" });
}

/** Hands over a message as if the client had sent it, and reads the whole answer. */
async function post(
  transport: WebStandardStreamableHTTPServerTransport,
  headers: Record<string, string>,
  message: JsonObject,
): Promise<void> {
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json", ...headers },
  });
  const response = await transport.handleRequest(request, { parsedBody: message });
  await response.text();
  if (!response.ok) throw new Error(`A session could not be opened again: status ${response.status}`);
}
