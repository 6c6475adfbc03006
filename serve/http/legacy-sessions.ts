import { isInitializeRequest, type Server } from "@modelcontextprotocol/server";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { type LegacySession, makeLegacySession, receiveMessages } from "./legacy-session.ts";
import { cancelledRequest, toMessages, refuse } from "./json-rpc.ts";
import { makeSessionId, parseSessionId, type SessionState, toSessionFacts } from "./session-id.ts";

/** Sends a response; resolves when all of it is sent. */
export type Send = (response: Response) => Promise<void>;

export interface SessionLimits {
  /** How long an unused session is kept; its next request restores it. */
  sessionIdleMs: number;
  /** Sessions of one client in memory. The longest unused makes room for a new one. */
  maxSessions: number;
}

/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;

/** Ids of ended sessions that are remembered, so that they are not brought back. */
const MAX_ENDED = 10_000;

/**
 * The sessions of one client in revisions up to 2025-11-25. An id carries all that its session is made from, so whichever
 * replica gets a request can bring back a session that it has never seen, or has dropped.
 */
export class LegacySessions {
  readonly #client: string | undefined;
  readonly #makeServer: () => Promise<Server>;
  readonly #limits: SessionLimits;
  /** The longest unused first. */
  readonly #sessions = new Map<string, LegacySession>();
  readonly #ended = new Set<string>();
  readonly #sweeper: NodeJS.Timeout;

  /** @param client the name of the client, which its ids are bound to */
  constructor(client: string | undefined, makeServer: () => Promise<Server>, limits: SessionLimits) {
    this.#client = client;
    this.#makeServer = makeServer;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#dropIdle(), limits.sessionIdleMs / 4).unref();
  }

  /** How many sessions are in memory. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Answers one request; resolves when its response is sent. */
  async answer(request: Request, body: JsonValue | undefined, send: Send): Promise<void> {
    const client = this.#client;
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      if (!isInitializeRequest(body)) return send(refuse(400, "Mcp-Session-Id is missing: send initialize first"));
      const newId = makeSessionId(toSessionFacts(body.params as JsonObject), client);
      return this.#answerIn(newId, undefined, request, body, send);
    }
    // Those in memory are this client's.
    const isHere = this.#sessions.has(id);
    const facts = isHere ? undefined : parseSessionId(id, client);
    if (this.#ended.has(id) || (!isHere && facts === undefined)) {
      return send(refuse(404, "Session not found", {}, -32_001));
    }
    if (request.method === "DELETE") {
      this.#rememberEnd(id);
      // A replica that has never seen the session has nothing to end.
      if (!this.#sessions.has(id)) return send(new Response(null, { status: 200 }));
    }
    return this.#answerIn(id, facts, request, body, send);
  }

  /** Ends all sessions and cancels what runs in them. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #answerIn(
    id: string,
    facts: SessionState | undefined,
    request: Request,
    body: JsonValue | undefined,
    send: Send,
  ): Promise<void> {
    const session = this.#take(id, facts);
    if (session === undefined) return send(refuse(503, "Too many sessions are in use", { "retry-after": "10" }));
    session.open += 1;
    try {
      await session.ready;
      const received = receiveMessages(session, body);
      if (body !== undefined && received.length === 0 && toMessages(body).length > 0) {
        return await send(new Response(null, { status: 202 }));
      }
      if (!session.requests.add(body)) {
        return await send(refuse(400, "A request with this id has no answer yet: use another id", {}, INVALID_REQUEST));
      }
      const parsed = body === undefined ? {} : { parsedBody: Array.isArray(body) ? received : (received[0] ?? body) };
      const response = await session.transport.handleRequest(request, parsed);
      if (!response.ok) session.requests.drop(body);
      else for (const overtaken of session.requests.takeCancelled(body)) session.cancel(overtaken);
      // A cancelled request is never answered: its stream would stay open for as long as the client does.
      for (const cancelled of toMessages(body).map(cancelledRequest)) {
        if (cancelled !== undefined) session.transport.closeSSEStream(cancelled);
      }
      await send(response);
    } finally {
      session.open -= 1;
      session.usedAt = performance.now();
    }
  }

  /** The session, made or brought back where it is not in memory; undefined where there is no room. */
  #take(id: string, facts: SessionState | undefined): LegacySession | undefined {
    const known = this.#sessions.get(id);
    if (known === undefined && !this.#makeRoom()) return undefined;
    const session = known ?? this.#make(id, facts);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  #make(id: string, facts: SessionState | undefined): LegacySession {
    const session = makeLegacySession(id, facts, this.#makeServer);
    const forget = (): void => {
      session.requests.end();
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
    session.transport.onclose = forget;
    session.ready.catch(forget);
    return session;
  }

  #makeRoom(): boolean {
    if (this.#sessions.size < this.#limits.maxSessions) return true;
    const [idle] = this.#idleSessions();
    if (idle === undefined) return false;
    void idle.transport.close();
    return true;
  }

  #dropIdle(): void {
    const limit = performance.now() - this.#limits.sessionIdleMs;
    for (const { usedAt, transport } of this.#idleSessions()) if (usedAt < limit) void transport.close();
  }

  #idleSessions(): LegacySession[] {
    return [...this.#sessions.values()].filter(({ open }) => open === 0);
  }

  #rememberEnd(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }
}
