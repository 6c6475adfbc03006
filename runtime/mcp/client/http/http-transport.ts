import {
  InsufficientScopeError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
  type Transport,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures, HttpFacts } from "../connection-failures.ts";
import { parseIncoming, readRpcError, type RequestId } from "../wire/json-rpc.ts";
import type { Line } from "../wire/line-splitter.ts";
import { type Delivery, MAX_MESSAGE_BYTES, type MessageTransport, toTooLarge } from "../wire/message-transport.ts";
import type { HttpTarget } from "../server-target.ts";
import { settlesWithin } from "../settles-within.ts";
import type { ConnectionAuth } from "./connection-auth.ts";
import { explainHttpFailure } from "./explain-http-failure.ts";
import { fetchWithoutListening, makePassingFetch } from "./pass-messages.ts";

/** An answer whose stream broke is waited for this long in vain: 0.3, 0.6 and 1.2 s, unless the server says otherwise. */
const RECONNECTION = {
  initialReconnectionDelay: 300,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 3,
};

/** Notifications may come at any time: their stream is tried again as long as the connection lives. */
const TRY_AGAIN_AFTER_MS = 10_000;

/** How long a server may take to hear that its session is over. */
const SHUTDOWN_TIMEOUT_MS = 500;

/** A server that asks and asks gets no more answers at a time: each is a request of its own. */
const MAX_ANSWERS_UNDER_WAY = 100;

/** What a server may have said while no stream was open. */
const LIST_MAY_HAVE_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} };

export interface HttpTransportOptions {
  maxMessageBytes?: number | undefined;
  /** Gives the token of each request, and sees to a new one. */
  auth?: ConnectionAuth | undefined;
  /** Whether to keep a stream open for what the server sends unasked; true unless given. An open stream keeps the process alive. */
  listens?: boolean | undefined;
}

/** JSON-RPC over streamable HTTP, or over the older HTTP with SSE, on the SDK's transports. */
export class HttpTransport implements MessageTransport {
  onmessage?: (delivery: Delivery) => void;
  onclose?: () => void;

  readonly kind: "http" | "sse";
  readonly #failures: ConnectionFailures;
  readonly #auth: ConnectionAuth | undefined;
  readonly #sdk: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #timers = makeReconnectTimers();
  /** The requests that wait for an answer, each with the way to end its exchange. */
  readonly #waiting = new Map<RequestId, AbortController>();
  /** What responses with an error said beside it, until the SDK says that they failed. */
  readonly #refusals = new Map<RequestId, HttpFacts>();
  readonly #facts = new WeakMap<object, HttpFacts>();
  readonly #noting: (Promise<void> | undefined)[] = [];
  #answersUnderWay = 0;
  #ready = false;
  #ending: ConnectionError | undefined;
  #endedByServer = false;
  #closing: Promise<void> | undefined;

  constructor(target: HttpTarget, failures: ConnectionFailures, options: HttpTransportOptions = {}) {
    this.kind = target.transport;
    this.#failures = failures;
    this.#auth = options.auth;
    const maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    const send: FetchLike = options.listens === false && this.kind === "http" ? fetchWithoutListening : fetch;
    const settings = {
      requestInit: { headers: { ...target.headers } },
      fetch: makePassingFetch(
        {
          maxMessageBytes,
          take: (line) => this.#take(line, maxMessageBytes),
          fail: (id, body) => this.#failBody(id, body, maxMessageBytes),
          answersInPlace: this.kind === "http",
          refused: (id, facts) => this.#refusals.set(id, facts),
          onStreamReopened: () => this.onmessage?.({ kind: "notification", message: LIST_MAY_HAVE_CHANGED }),
        },
        options.auth?.withProof?.(send) ?? send,
      ),
      ...withoutUndefined({ authProvider: options.auth?.provider }),
    };
    const url = new URL(target.url);
    this.#sdk =
      target.transport === "sse"
        ? new SSEClientTransport(url, settings)
        : new StreamableHTTPClientTransport(url, { ...settings, ...this.#timers.reconnection });
    this.#sdk.onmessage = (message) => this.#takeFromSdk(message);
    this.#sdk.onerror = (error) => this.#noteError(error);
  }

  get ending(): ConnectionError | undefined {
    return this.#ending;
  }

  get endedByServer(): boolean {
    return this.#endedByServer;
  }

  async start(): Promise<void> {
    await this.#sdk.start();
  }

  async send(message: JsonObject, headers?: Readonly<Record<string, string>>): Promise<void> {
    if (this.#ending !== undefined) throw this.#ending;
    const id = message["id"] as RequestId | undefined;
    if (message["method"] === undefined) await this.#sendAnswer(message);
    else if (id === undefined) await this.#sendNotification(message);
    else await this.#sendRequest(id, message, headers);
  }

  abandon(id: RequestId): void {
    this.#waiting.get(id)?.abort();
    this.#waiting.delete(id);
  }

  setProtocolVersion(version: string): void {
    this.#sdk.setProtocolVersion(version);
  }

  markReady(): void {
    this.#ready = true;
  }

  explainFailedStart(timedOutAfterMs?: number): ConnectionError {
    return timedOutAfterMs === undefined
      ? (this.#ending ?? this.#failures.interrupted())
      : this.#failures.startTimedOut(timedOutAfterMs, { stderr: "", printed: "" });
  }

  explainFailure(error: unknown, action: string): ConnectionError | undefined {
    if (error instanceof InsufficientScopeError && error.requiredScope !== undefined) {
      this.#noting.push(this.#auth?.noteMissingScope(error.requiredScope).catch(() => undefined));
    }
    const facts = typeof error === "object" && error !== null ? this.#facts.get(error) : undefined;
    return explainHttpFailure(error, this.#failures, { action, hadSession: this.hasSession, facts });
  }

  close(): Promise<void> {
    this.#finish(this.#failures.closed("closed-by-us"));
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined;
  }

  get #sessionId(): string | undefined {
    return this.#sdk instanceof StreamableHTTPClientTransport ? this.#sdk.sessionId : undefined;
  }

  async #sendRequest(id: RequestId, message: JsonObject, headers: Readonly<Record<string, string>> | undefined) {
    const exchange = new AbortController();
    this.#waiting.set(id, exchange);
    try {
      const transport: Transport = this.#sdk;
      await transport.send(toSdkMessage(message), {
        ...withoutUndefined({ headers }),
        requestSignal: exchange.signal,
        onRequestStreamEnd: () => this.#failUnanswered(id, this.#failures.interrupted()),
      });
    } catch (error) {
      this.#waiting.delete(id);
      const facts = this.#refusals.get(id);
      if (facts !== undefined && typeof error === "object" && error !== null) this.#facts.set(error, facts);
      throw error;
    } finally {
      this.#refusals.delete(id);
    }
  }

  /** In the eras before streams were cancelled by ending them, a notification says so; the stream must end as well. */
  async #sendNotification(message: JsonObject): Promise<void> {
    const cancelled =
      message["method"] === "notifications/cancelled" ? (message["params"] as JsonObject)["requestId"] : undefined;
    try {
      await this.#sdk.send(toSdkMessage(message));
    } finally {
      this.abandon(cancelled as RequestId);
    }
  }

  async #sendAnswer(message: JsonObject): Promise<void> {
    if (this.#answersUnderWay >= MAX_ANSWERS_UNDER_WAY) return;
    this.#answersUnderWay += 1;
    try {
      await this.#sdk.send(toSdkMessage(message));
    } finally {
      this.#answersUnderWay -= 1;
    }
  }

  /** Delivers what is in an event or a body. @returns the ids of the requests that it answers */
  #take(line: Line, maxMessageBytes: number): RequestId[] {
    // Servers echo things; behind this point the token of a login is unknown.
    const deliveries: Delivery[] =
      line.kind === "line"
        ? parseIncoming(this.#failures.maskLearned(line.text))
        : toTooLarge(line, this.#failures, maxMessageBytes);
    if (this.#ending !== undefined) return [];
    return deliveries.flatMap((delivery) => {
      const id = toAnsweredId(delivery);
      if (id !== undefined) this.#waiting.delete(id);
      this.onmessage?.(delivery);
      return id ?? [];
    });
  }

  /** Stubs of what was delivered already, and errors that the SDK found in the body of a refusal. */
  #takeFromSdk(sent: JSONRPCMessage): void {
    if (!("error" in sent) || sent.id === undefined) return;
    this.#waiting.delete(sent.id);
    const message: object = sent;
    this.onmessage?.({ kind: "response", message: message as JsonObject });
  }

  /** A body without the answer: an error that names no request is of the one that it belongs to. */
  #failBody(id: RequestId, body: Line, maxMessageBytes: number): void {
    const error = body.kind === "line" ? readRpcError(this.#failures.maskLearned(body.text)) : undefined;
    if (error === undefined) return this.#failUnanswered(id, toBodyFailure(body, this.#failures, maxMessageBytes));
    if (this.#waiting.delete(id)) this.onmessage?.({ kind: "response", message: { jsonrpc: "2.0", id, error } });
  }

  #failUnanswered(id: RequestId, failure: ConnectionError): void {
    if (this.#waiting.delete(id)) this.onmessage?.({ kind: "failed", id, failure });
  }

  /** Sees to streams that broke. The older transport has one for all answers; its session is gone with it. */
  #noteError(error: Error): void {
    const sdk = this.#sdk;
    if (sdk instanceof StreamableHTTPClientTransport) {
      // It may have been the one for notifications; no event id means a new one.
      if (this.#timers.hasGivenUp(error)) this.#timers.openLater(() => sdk.resumeStream(""));
      return;
    }
    if (!this.#ready || this.#ending !== undefined || !(error instanceof SseError)) return;
    this.#endedByServer = true;
    this.#finish(this.#failures.closed("output-ended"));
    void this.close();
  }

  async #shutDown(): Promise<void> {
    this.#timers.clear();
    for (const exchange of this.#waiting.values()) exchange.abort();
    this.#waiting.clear();
    if (this.#sdk instanceof StreamableHTTPClientTransport && this.#sdk.sessionId !== undefined) {
      await settlesWithin(
        this.#sdk.terminateSession().catch(() => undefined),
        SHUTDOWN_TIMEOUT_MS,
      );
    }
    await Promise.all([this.#sdk.close(), ...this.#noting]);
  }

  #finish(reason: ConnectionError): void {
    if (this.#ending !== undefined) return;
    this.#ending = reason;
    this.onclose?.();
  }
}

function toAnsweredId(delivery: Delivery): RequestId | undefined {
  if (delivery.kind === "response") return delivery.message["id"] as RequestId;
  return delivery.kind === "broken" || delivery.kind === "failed" ? delivery.id : undefined;
}

function toBodyFailure(body: Line, failures: ConnectionFailures, limitBytes: number): ConnectionError {
  if (body.kind === "oversize") return failures.tooLarge(body.byteLength, limitBytes);
  return failures.protocol("an answer without a JSON-RPC response in it");
}

/** The SDK's types say which members a message has; ours are JSON. */
function toSdkMessage(message: object): JSONRPCMessage {
  return message as JSONRPCMessage;
}

/** Timers for broken streams that keep no process alive and can all be ended; the SDK's own forget all but the last. */
function makeReconnectTimers() {
  const timers = new Set<NodeJS.Timeout>();

  function schedule(action: () => void, delayMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, delayMs).unref();
    timers.add(timer);
  }

  return {
    /** For the SDK's transport. */
    reconnection: {
      reconnectionOptions: RECONNECTION,
      reconnectionScheduler: (reconnect: () => void, delayMs: number) => schedule(reconnect, delayMs),
    },

    /** Whether the SDK has just given up a stream. */
    hasGivenUp: (error: Error) => error.message.startsWith("Maximum reconnection attempts"),

    /** Opens the stream for notifications until it is open, or the server says that it has none or one already. */
    openLater(open: () => Promise<void>): void {
      const tryToOpen = (): void => {
        open().catch((error: unknown) => {
          if (!(error instanceof SdkHttpError)) schedule(tryToOpen, TRY_AGAIN_AFTER_MS);
        });
      };
      schedule(tryToOpen, TRY_AGAIN_AFTER_MS);
    },

    clear: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}
