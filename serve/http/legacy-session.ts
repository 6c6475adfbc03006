import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Server, WebStandardStreamableHTTPServerTransport, type Transport } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { VERSION } from "../../schemas/version.ts";
import { KEEP_ALIVE_MS } from "./http-listener.ts";
import type { SessionState } from "./session-id.ts";
import { cancelledRequest, toMessages, isRequest } from "./json-rpc.ts";
import { randomBytes } from "node:crypto";

/** A server and the transport that it speaks through, for one client of a revision that has sessions. */
export interface LegacySession {
  transport: WebStandardStreamableHTTPServerTransport;
  /** Settled when the transport takes requests. */
  ready: Promise<void>;
  requests: OpenRequests;
  questions: OpenElicitations;
  /** Cancels a request that the transport has got. */
  cancel(requestId: string | number): void;
  /** Responses that are being sent. */
  open: number;
  /** When it was last used, by the clock of this process. */
  usedAt: number;
}

/**
 * Makes a session with a given id. With `facts` it is one that was opened before, here or by another replica: it is opened
 * again as its client did then. Without, the request at hand does so.
 */
export function makeLegacySession(
  id: string,
  facts: SessionState | undefined,
  makeServer: () => Promise<Server>,
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
  const requests = new OpenRequests();
  const questions = watchQuestions(transport);
  requests.watch(transport);
  const cancel = (requestId: string | number): void => {
    requests.remove(requestId);
    transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    transport.closeSSEStream(requestId);
  };
  return { transport, requests, questions, cancel, ready: start(), open: 0, usedAt: performance.now() };
}

/** The messages of a body, without answers to questions of another process. */
export function receiveMessages({ questions }: LegacySession, body: JsonValue | undefined): JsonObject[] {
  return toMessages(body).flatMap((message): JsonObject[] => {
    if (Object.hasOwn(message, "method") || !Object.hasOwn(message, "id")) return [message];
    const own = questions.receive(message);
    return own === undefined ? [] : [own];
  });
}

async function replayOpening(
  transport: WebStandardStreamableHTTPServerTransport,
  id: string,
  { protocolVersion, elicitation, clientName }: SessionState,
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

/** A client sends a cancellation on a connection of its own: it may be read before its request. So long after, no request of it comes. */
const OVERTAKES_MS = 10_000;
const MOST_EARLY = 1000;
const MOST_OVER = 1000;

/**
 * The requests of one session that have no answer yet. The transport finds the stream of an answer by the request's id, so two requests
 * with one id would get one answer: JSON-RPC 2.0 leaves the ids to the client, MCP wants each used once in a session.
 */
export class OpenRequests {
  readonly #ids = new Set<JsonValue>();
  /** Cancelled before they came, with the time of that. */
  readonly #early = new Map<JsonValue, number>();
  /** Answered or cancelled: a later cancellation is about them. */
  readonly #over = new Set<JsonValue>();

  has(id: JsonValue): boolean {
    return this.#ids.has(id);
  }

  /** Sees each answer that the transport sends. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message) && message.id !== undefined) this.remove(message.id);
      return send(message, options);
    };
  }

  /** Adds the requests of a body, or none of them where one has the id of another: false then. */
  add(body: JsonValue | undefined): boolean {
    // What is cancelled is never answered.
    for (const cancelled of toMessages(body).map(cancelledRequest)) {
      if (cancelled === undefined) continue;
      if (this.has(cancelled)) this.remove(cancelled);
      else if (!this.#over.has(cancelled)) keepNewest(this.#early, MOST_EARLY).set(cancelled, performance.now());
    }
    const ids = idsOf(body);
    if (new Set(ids).size < ids.length || ids.some((id) => this.#ids.has(id))) return false;
    for (const id of ids) this.#ids.add(id);
    return true;
  }

  /** The requests of a body whose cancellation has overtaken them. */
  takeCancelled(body: JsonValue | undefined): (string | number)[] {
    return idsOf(body).filter((id): id is string | number => {
      const at = this.#early.get(id);
      this.#early.delete(id);
      return at !== undefined && performance.now() - at < OVERTAKES_MS;
    });
  }

  /** Takes the requests of a body out again that the transport has refused whole. */
  drop(body: JsonValue | undefined): void {
    for (const id of idsOf(body)) this.remove(id);
  }

  remove(id: JsonValue): void {
    if (this.#ids.delete(id)) keepNewest(this.#over, MOST_OVER).add(id);
  }

  /** None of them is answered any more. */
  end(): void {
    for (const id of this.#ids) this.remove(id);
  }
}

/** Makes room in a collection, which has its oldest members first. */
function keepNewest<Kept extends { size: number; keys(): Iterator<JsonValue>; delete(key: JsonValue): boolean }>(
  kept: Kept,
  most: number,
): Kept {
  const oldest = kept.keys().next();
  if (kept.size >= most && oldest.done !== true) kept.delete(oldest.value);
  return kept;
}

function idsOf(body: JsonValue | undefined): JsonValue[] {
  return toMessages(body)
    .filter(isRequest)
    .map(({ id }) => id as JsonValue);
}

/** The requests of the server to the client of one session, and their answers, which may come to another replica. */
type OpenElicitations = ReturnType<typeof watchQuestions>;

const NAME_BYTES = 9;

/**
 * The servers of a session on two replicas count their requests alike. So each id gets the name of its server, else a person's answer to
 * one question could pass for the answer to another.
 */
function watchQuestions(transport: Transport) {
  const name = randomBytes(NAME_BYTES).toString("base64url");
  const toOwn = (id: unknown): number => Number(String(id).slice(name.length + 1));
  const named = (id: unknown): string => `${name}.${String(id)}`;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("method" in message)) return send(message, options);
    if ("id" in message) return send({ ...message, id: named(message.id) }, options);
    if (message.method !== "notifications/cancelled") return send(message, options);
    const id = named((message.params as { requestId?: unknown } | undefined)?.requestId);
    return send({ ...message, params: { ...message.params, requestId: id } }, options);
  };
  return {
    /** An answer of the client: for the transport, or undefined where another process has asked. */
    receive(answer: JsonObject): JsonObject | undefined {
      const { id } = answer;
      return typeof id === "string" && id.startsWith(`${name}.`) ? { ...answer, id: toOwn(id) } : undefined;
    },
  };
}
