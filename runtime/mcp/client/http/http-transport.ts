import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import { parseIncoming, readRpcError, type RequestId, type RpcError } from "../wire/json-rpc.ts";
import type { Line } from "../wire/line-splitter.ts";
import { type Delivery, MAX_MESSAGE_BYTES, type MessageTransport, toTooLarge } from "../wire/message-transport.ts";
import type { HttpTarget } from "../server-target.ts";
import { settlesWithin } from "../settles-within.ts";
import type { ConnectionAuth } from "./connection-auth.ts";
import { explainHttpFailure, toOwnError } from "./explain-http-failure.ts";
import { toStandardHeaders } from "./header-annotations.ts";
import {
  discardBody,
  HttpRefusal,
  type HttpRequest,
  makeHttpRequests,
  mediaTypeOf,
  readBoundedBody,
  toEndpoint,
} from "./http-requests.ts";
import { delayBefore, isEmpty, readStream, type StreamEvent, type StreamPosition } from "./server-events.ts";

/** An answer whose stream broke is waited for this long in vain: 0.3, 0.6 and 1.2 s, unless the server says otherwise. */
const MAX_TRIES = 3;

/** Notifications may come at any time: their stream is tried again as long as the connection lives. */
const TRY_AGAIN_AFTER_MS = 10_000;

/** A stream of notifications that lived this long is opened again without a longer wait than the first time. */
const PROVEN_AFTER_MS = 5_000;

/** How long the stream of an answer may stay open after it. */
const LINGER_MS = 2_000;

/** How long a server may take to hear that its session is over. */
const SHUTDOWN_TIMEOUT_MS = 500;

/** A server that asks and asks gets no more answers at a time: each is a request of its own. */
const MAX_ANSWERS_UNDER_WAY = 100;

/** What a server may have said while no stream was open. */
const LIST_MAY_HAVE_CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} };

const NO_RESPONSE = "an answer without a JSON-RPC response in it";

/** "Accepted" is for what wants no answer: none would come. */
const WITHOUT_ANSWER = new Set([202, 204, 205]);

export interface HttpTransportOptions {
  maxMessageBytes?: number | undefined;
  /** Gives the token of each request, and sees to a new one. */
  auth?: ConnectionAuth | undefined;
  /** Whether to keep a stream open for what the server sends unasked; true unless given. An open stream keeps the process alive. */
  listens?: boolean | undefined;
}

/** A request whose exchange is open. */
interface Exchange {
  /** Ends it. */
  end: AbortController;
  isAnswered: boolean;
  /** Ends it some time after its answer. */
  linger?: NodeJS.Timeout;
  /** An error in its stream that names no request. */
  failure?: RpcError;
}

/** JSON-RPC over streamable HTTP, or over the older HTTP with SSE, where one stream has the answers to all requests. */
export class HttpTransport implements MessageTransport {
  onmessage?: (delivery: Delivery) => void;
  onclose?: () => void;

  readonly kind: "http" | "sse";
  readonly #failures: ConnectionFailures;
  readonly #auth: ConnectionAuth | undefined;
  readonly #listens: boolean;
  readonly #maxMessageBytes: number;
  readonly #url: URL;
  readonly #request: (request: HttpRequest) => Promise<Response>;
  readonly #closingSignal = new AbortController();
  readonly #exchanges = new Map<RequestId, Exchange>();
  readonly #noting: (Promise<void> | undefined)[] = [];
  /** Where messages go; the older transport learns it from the server. */
  #endpoint: URL;
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;
  #answersUnderWay = 0;
  #ending: ConnectionError | undefined;
  #endedByServer = false;
  #closing: Promise<void> | undefined;

  constructor(target: HttpTarget, failures: ConnectionFailures, options: HttpTransportOptions = {}) {
    const { maxMessageBytes = MAX_MESSAGE_BYTES, auth, listens = true } = options;
    this.kind = target.transport;
    this.#failures = failures;
    this.#auth = auth;
    this.#listens = listens;
    this.#maxMessageBytes = maxMessageBytes;
    this.#url = new URL(target.url);
    this.#endpoint = this.#url;
    this.#request = makeHttpRequests(target, auth);
  }

  get ending(): ConnectionError | undefined {
    return this.#ending;
  }

  get endedByServer(): boolean {
    return this.#endedByServer;
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined;
  }

  async start(): Promise<void> {
    if (this.kind === "sse") this.#endpoint = await this.#openOlderStream();
  }

  /** For a request it settles when its exchange is over. */
  async send(message: JsonObject, headers?: Readonly<Record<string, string>>): Promise<void> {
    if (this.#ending !== undefined) throw this.#ending;
    const id = message["id"] as RequestId | undefined;
    if (message["method"] === undefined) await this.#sendAnswer(message);
    else if (id === undefined) await this.#sendNotification(message);
    else await this.#sendRequest(id, message, headers);
  }

  abandon(id: RequestId): void {
    this.#exchanges.get(id)?.end.abort();
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  markReady(): void {
    // A server over HTTP has nothing to save when a connection ends.
  }

  explainFailedStart(timedOutAfterMs?: number): ConnectionError {
    return timedOutAfterMs === undefined
      ? (this.#ending ?? this.#failures.interrupted())
      : this.#failures.startTimedOut(timedOutAfterMs, { stderr: "", printed: "" });
  }

  explainFailure(error: unknown, action: string): ConnectionError | undefined {
    const missingScope = error instanceof HttpRefusal ? error.missingScope : undefined;
    if (missingScope !== undefined && missingScope !== "")
      this.#noting.push(this.#auth?.noteMissingScope(missingScope).catch(() => undefined));
    return explainHttpFailure(error, this.#failures, { action, hadSession: this.hasSession });
  }

  close(): Promise<void> {
    this.#finish(this.#failures.closed("closed-by-us"));
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #sendRequest(id: RequestId, message: JsonObject, headers: Readonly<Record<string, string>> | undefined) {
    const exchange: Exchange = { end: new AbortController(), isAnswered: false };
    this.#exchanges.set(id, exchange);
    try {
      const response = await this.#post(message, exchange.end.signal, headers);
      if (this.kind === "sse") await this.#takeBody(response, exchange.end.signal);
      else await this.#readAnswer(response, exchange);
    } catch (error) {
      if (!exchange.isAnswered) throw toOwnError(error, id, message) ?? error;
    } finally {
      clearTimeout(exchange.linger);
      this.#exchanges.delete(id);
    }
  }

  /** In the eras before streams were cancelled by ending them, a notification says so; the stream must end as well. */
  async #sendNotification(message: JsonObject): Promise<void> {
    const { method, params } = message;
    try {
      await this.#takeBody(await this.#post(message, this.#closingSignal.signal), this.#closingSignal.signal);
    } finally {
      if (method === "notifications/cancelled") this.abandon((params as JsonObject)["requestId"] as RequestId);
    }
    if (method === "notifications/initialized" && this.kind === "http" && this.#listens) void this.#listen();
  }

  async #sendAnswer(message: JsonObject): Promise<void> {
    if (this.#answersUnderWay >= MAX_ANSWERS_UNDER_WAY) return;
    this.#answersUnderWay += 1;
    try {
      const { signal } = this.#closingSignal;
      await this.#takeBody(await this.#post(message, signal), signal);
    } finally {
      this.#answersUnderWay -= 1;
    }
  }

  async #post(message: JsonObject, signal: AbortSignal, own?: Readonly<Record<string, string>>): Promise<Response> {
    const isHandshake = message["method"] === "initialize";
    const response = await this.#request({
      method: "POST",
      url: this.#endpoint,
      headers: {
        ...own,
        ...this.#stateHeaders(!isHandshake),
        ...toStandardHeaders(message),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(message),
      signal,
    });
    if (isHandshake && this.kind === "http") this.#sessionId = response.headers.get("mcp-session-id") || undefined;
    return response;
  }

  #get(signal: AbortSignal, lastEventId?: string): Promise<Response> {
    const resumed = withoutUndefined({ "last-event-id": lastEventId });
    const headers = { ...this.#stateHeaders(true), ...resumed, accept: "text/event-stream" };
    return this.#request({ method: "GET", url: this.#url, headers, signal });
  }

  #stateHeaders(inSession: boolean): Record<string, string> {
    return withoutUndefined({
      "mcp-session-id": inSession ? this.#sessionId : undefined,
      "mcp-protocol-version": this.#protocolVersion,
    });
  }

  /** Reads the answer to a request; throws where there is none. */
  async #readAnswer(response: Response, exchange: Exchange): Promise<void> {
    const type = mediaTypeOf(response);
    if (WITHOUT_ANSWER.has(response.status)) throw this.#failures.protocol(NO_RESPONSE);
    if (type === "text/event-stream") return this.#readAnswerStream(response, exchange);
    if (type !== "application/json") {
      await response.body?.cancel();
      const said = String(response.headers.get("content-type"));
      throw this.#failures.protocol(`its answer is neither JSON nor a stream of events but ${said}`);
    }
    const body = await readBoundedBody(response, this.#maxMessageBytes);
    this.#take(body);
    if (exchange.isAnswered) return;
    if (body.kind === "oversize") throw this.#failures.tooLarge(body.byteLength, this.#maxMessageBytes);
    // An error that names no request is of the one that it belongs to.
    throw this.#readError(body) ?? this.#failures.protocol(NO_RESPONSE);
  }

  /** Reads events until the answer has come, also over streams that take up one which broke. */
  async #readAnswerStream(first: Response, exchange: Exchange): Promise<void> {
    const position: StreamPosition = {};
    const { signal } = exchange.end;
    let response: Response | undefined = first;
    for (let tries = 0; ; tries += 1) {
      try {
        response ??= await this.#get(signal, position.lastEventId);
        if (response !== first) tries = 0;
        await this.#readEvents(response, position, exchange);
      } catch (error) {
        const isFinal = exchange.failure !== undefined || signal.aborted || position.lastEventId === undefined;
        if (isFinal || exchange.isAnswered) throw error;
        if (error instanceof HttpRefusal && error.status === 405) throw this.#failures.interrupted();
      }
      if (exchange.isAnswered) return;
      if (position.lastEventId === undefined || tries === MAX_TRIES) throw this.#failures.interrupted();
      await delay(delayBefore(tries, position), undefined, { signal });
      response = undefined;
    }
  }

  /** Opens a stream for what the server says unasked, as long as the connection lives and the server has one. */
  async #listen(): Promise<void> {
    const { signal } = this.#closingSignal;
    const position: StreamPosition = {};
    let opened = 0;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const since = performance.now();
      try {
        const response = await this.#get(signal, position.lastEventId);
        if ((opened += 1) > 1) this.onmessage?.({ kind: "notification", message: LIST_MAY_HAVE_CHANGED });
        await this.#readEvents(response, position);
        if (performance.now() - since > PROVEN_AFTER_MS) tries = 0;
      } catch (error) {
        const isRefused = error instanceof HttpRefusal;
        if (isRefused && (error.status === 405 || opened === 0 || tries > MAX_TRIES)) return;
      }
      const wait = tries < MAX_TRIES ? delayBefore(tries, position) : TRY_AGAIN_AFTER_MS;
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Delivers what is in the body of a response that needs none. */
  async #takeBody(response: Response, signal: AbortSignal): Promise<void> {
    const type = mediaTypeOf(response);
    if (type === "application/json") this.#take(await readBoundedBody(response, this.#maxMessageBytes));
    else if (type === "text/event-stream") void this.#readEvents(response, {}).catch(() => undefined);
    else if (!signal.aborted) await discardBody(response);
  }

  /** Delivers the messages of a stream until it ends. */
  async #readEvents(response: Response, position: StreamPosition, exchange?: Exchange): Promise<void> {
    await readStream(response, this.#maxMessageBytes, position, ({ type, id, data }) => {
      if (id !== undefined && id !== "") position.lastEventId = id;
      if (type !== "message" || isEmpty(data)) return;
      const isMessage = this.#take(data);
      if (isMessage || exchange === undefined || exchange.isAnswered) return;
      const failure = this.#readError(data);
      if (failure !== undefined) throw (exchange.failure = failure);
    });
  }

  /** Opens the one stream of the older transport. @returns where messages go */
  async #openOlderStream(): Promise<URL> {
    const response = await this.#get(this.#closingSignal.signal);
    if (mediaTypeOf(response) !== "text/event-stream") {
      await response.body?.cancel();
      const said = String(response.headers.get("content-type"));
      throw this.#failures.protocol(`what it opens is no stream of events but ${said}`);
    }
    return new Promise((resolve, reject) => {
      let isOpen = false;
      const onEvent = ({ type, data }: StreamEvent): void => {
        if (type === "endpoint" && data.kind === "line" && !isOpen) {
          const endpoint = toEndpoint(data.text, this.#url);
          if (endpoint === undefined) throw this.#failures.protocol("its endpoint is not at the origin of its URL");
          isOpen = true;
          resolve(endpoint);
        } else if (type === "message" && !isEmpty(data)) this.#take(data);
      };
      const onEnd = (error: unknown): void => {
        if (isOpen) this.#endWithStream();
        else reject(error);
      };
      readStream(response, this.#maxMessageBytes, {}, onEvent).then(() => onEnd(this.#failures.interrupted()), onEnd);
    });
  }

  /** The session of the older transport is gone with its stream. */
  #endWithStream(): void {
    if (this.#ending !== undefined) return;
    this.#endedByServer = true;
    this.#finish(this.#failures.closed("output-ended"));
    void this.close();
  }

  /** Delivers what is in an event or a body. @returns whether there was anything in it */
  #take(line: Line): boolean {
    if (this.#ending !== undefined) return true;
    // Servers echo things; behind this point the token of a login is unknown.
    const deliveries: Delivery[] =
      line.kind === "line"
        ? parseIncoming(this.#failures.maskLearned(line.text))
        : toTooLarge(line, this.#failures, this.#maxMessageBytes);
    for (const delivery of deliveries) {
      this.#noteAnswer(toAnsweredId(delivery));
      this.onmessage?.(delivery);
    }
    return deliveries.length > 0;
  }

  #noteAnswer(id: RequestId | undefined): void {
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (exchange === undefined || exchange.isAnswered) return;
    exchange.isAnswered = true;
    exchange.linger = setTimeout(() => exchange.end.abort(), LINGER_MS).unref();
  }

  /** The error that a text holds without a request. */
  #readError(line: Line): RpcError | undefined {
    return line.kind === "line" ? readRpcError(this.#failures.maskLearned(line.text)) : undefined;
  }

  async #shutDown(): Promise<void> {
    for (const { end } of this.#exchanges.values()) end.abort();
    const { signal } = this.#closingSignal;
    if (this.#sessionId !== undefined) {
      const ended = this.#request({ method: "DELETE", url: this.#url, headers: this.#stateHeaders(true), signal });
      await settlesWithin(
        ended.then(discardBody).catch(() => undefined),
        SHUTDOWN_TIMEOUT_MS,
      );
    }
    this.#closingSignal.abort();
    await Promise.all(this.#noting);
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
