import { isJsonObject, ownValue, type JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import type { CallProgress } from "../server-connection.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError, type RequestId } from "./json-rpc.ts";
import type { Delivery, MessageTransport } from "./message-transport.ts";

/** What is done with what a server sends unasked. */
export interface PeerHandlers {
  /** Answers a request. Throws an `RpcError`, which the server gets. The signal is aborted where the server no longer waits. */
  answer(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  notified(method: string, params: JsonObject): void;
}

export interface SentWith {
  onProgress?: ((progress: CallProgress) => void) | undefined;
  /** Only HTTP sends them. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the next number. */
  id?: RequestId;
}

interface OpenRequest {
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
  onProgress: ((progress: CallProgress) => void) | undefined;
}

/**
 * Our end of a conversation in JSON-RPC: requests with their answers, progress and cancellation, and what the server asks and tells. Results
 * pass as they were read. Limits of time are the caller's.
 */
export class JsonRpcPeer {
  readonly #transport: MessageTransport;
  readonly #failures: ConnectionFailures;
  readonly #handlers: PeerHandlers;
  readonly #open = new Map<RequestId, OpenRequest>();
  /** The requests of the server that are being answered. */
  readonly #answering = new Map<RequestId, AbortController>();
  /** From 1 on, because what is no number may be 0. */
  #nextId = 1;
  #envelope: JsonObject | undefined;

  constructor(transport: MessageTransport, failures: ConnectionFailures, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#failures = failures;
    this.#handlers = handlers;
    transport.onmessage = (delivery) => this.#receive(delivery);
    transport.onclose = () => this.#close(transport.ending as ConnectionError);
  }

  /** From now on the rules are those of MCP 2026-07-28: this goes into `_meta` of each message, and the server asks nothing. */
  useEnvelope(envelope: JsonObject): void {
    this.#envelope = envelope;
  }

  /**
   * Sends a request. `answer` rejects with an `RpcError`, a `ConnectionError` or what the transport can explain. `cancel` rejects it, and tells the server
   * that it is no longer wanted.
   */
  request(
    method: string,
    params: JsonObject,
    { onProgress, headers, id = this.#nextId++ }: SentWith = {},
  ): { answer: Promise<JsonObject>; cancel: (reason: string) => void } {
    const answer = new Promise<JsonObject>((resolve, reject) => this.#open.set(id, { resolve, reject, onProgress }));
    const message = { jsonrpc: "2.0", id, method, params: this.#withMeta(params, onProgress && { progressToken: id }) };
    this.#transport.send(message, headers)?.catch((error: unknown) => this.#take(id)?.reject(error));
    return { answer, cancel: (reason) => this.#cancel(id, reason) };
  }

  /** Settles when the message has been sent; undefined where it has been already. */
  notify(method: string, params: JsonObject): Promise<void> | undefined {
    return this.#transport.send({ jsonrpc: "2.0", method, params: this.#withMeta(params, undefined) });
  }

  #withMeta(params: JsonObject, own: JsonObject | undefined): JsonObject {
    if (own === undefined && this.#envelope === undefined) return params;
    const meta = ownValue(params, "_meta");
    return { ...params, _meta: { ...this.#envelope, ...(isJsonObject(meta) ? meta : undefined), ...own } };
  }

  #cancel(id: RequestId, reason: string): void {
    const request = this.#take(id);
    if (request === undefined) return;
    request.reject(new Error(reason));
    if (this.#envelope !== undefined && this.#transport.abandon !== undefined) this.#transport.abandon(id);
    else this.notify("notifications/cancelled", { requestId: id, reason })?.catch(() => undefined);
  }

  #take(id: RequestId): OpenRequest | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /** No answer comes any more. */
  #close(reason: ConnectionError): void {
    for (const id of [...this.#open.keys()]) this.#take(id)?.reject(reason);
    for (const answering of this.#answering.values()) answering.abort();
  }

  #receive(delivery: Delivery): void {
    switch (delivery.kind) {
      case "response":
        return this.#receiveResponse(delivery.message);
      case "failed":
        return this.#takeAnswered(delivery.id)?.reject(delivery.failure);
      case "broken":
        return this.#takeAnswered(delivery.id)?.reject(this.#failures.protocol(delivery.problem));
      case "refused":
        return this.#reply(delivery.id, { error: { code: INVALID_REQUEST, message: delivery.problem } });
      case "request":
        if (this.#envelope === undefined) void this.#answer(delivery.message);
        return;
      case "notification":
        return this.#takeNotification(delivery.message);
    }
  }

  #receiveResponse(message: JsonObject): void {
    const request = this.#takeAnswered(message["id"] as RequestId);
    const result = ownValue(message, "result");
    if (isJsonObject(result)) request?.resolve(result);
    else request?.reject(toRpcError(message["error"] as JsonObject));
  }

  /** The request that is answered under this id; undefined where it came too late, twice or under an id of the wrong type. */
  #takeAnswered(id: RequestId): OpenRequest | undefined {
    const request = this.#take(id);
    if (request !== undefined || typeof id === "number") return request;
    const number = Number(id);
    this.#take(number)?.reject(this.#failures.protocol(`it answers the request ${number} under the id "${id}"`));
    return undefined;
  }

  async #answer({ id: sentId, method, params }: JsonObject): Promise<void> {
    const id = sentId as RequestId;
    const answering = new AbortController();
    this.#answering.set(id, answering);
    const answer =
      method === "ping" ? {} : this.#handlers.answer(method as string, params as JsonObject, answering.signal);
    const reply: JsonObject = await Promise.resolve(answer).then(
      (result) => ({ result }),
      (error: Error) => ({
        error: { code: error instanceof RpcError ? error.code : INTERNAL_ERROR, message: error.message },
      }),
    );
    if (!answering.signal.aborted) this.#reply(id, reply);
    if (this.#answering.get(id) === answering) this.#answering.delete(id);
  }

  #reply(id: RequestId, reply: JsonObject): void {
    this.#transport.send({ jsonrpc: "2.0", id, ...reply })?.catch(() => undefined);
  }

  #takeNotification({ method, params: sent }: JsonObject): void {
    const params = sent as JsonObject;
    try {
      if (method === "notifications/progress") this.#takeProgress(params);
      else if (method === "notifications/cancelled") this.#takeCancelled(params["requestId"] as RequestId);
      else this.#handlers.notified(method as string, params);
    } catch {
      // A listener that fails keeps no message behind it from being read.
    }
  }

  /** A question is taken back, or a stream of ours is ended, whose id is text. */
  #takeCancelled(id: RequestId): void {
    this.#answering.get(id)?.abort();
    if (typeof id === "string") this.#take(id)?.reject(this.#failures.interrupted());
  }

  #takeProgress({ progressToken, progress, total, message }: JsonObject): void {
    if (typeof progress !== "number") return;
    this.#open.get(Number(progressToken))?.onProgress?.({
      progress,
      ...withoutUndefined({
        total: typeof total === "number" ? total : undefined,
        message: typeof message === "string" ? message : undefined,
      }),
    });
  }
}

function toRpcError({ code, message, data }: JsonObject): RpcError {
  return new RpcError(code as number, message as string, data);
}
