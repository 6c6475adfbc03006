import { ProtocolError, type Progress } from "@modelcontextprotocol/client";
import { isJsonObject, ownValue, type JsonObject } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";

/** A request under way. */
export interface PipeRequest {
  answer: Promise<JsonObject>;
  /** Tells the server that the answer is no longer wanted, and rejects it. */
  cancel(reason: string): void;
}

interface OpenRequest {
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** The SDK's client counts its ids up from 0 on the same pipe. */
const FIRST_ID = 1_000_000_000;

/**
 * Requests that are sent and answered beside the SDK's client: it parses each message by schemas, and makes timers and signals for it. Ids,
 * progress and cancellation are those of the revisions before 2026-07-28; results pass untouched.
 */
export class PipeRequests {
  readonly #post: (message: JsonObject) => void;
  readonly #failures: ConnectionFailures;
  readonly #open = new Map<number, OpenRequest>();
  #nextId = FIRST_ID;

  constructor(post: (message: JsonObject) => void, failures: ConnectionFailures) {
    this.#post = post;
    this.#failures = failures;
  }

  /** Sends a request. `answer` rejects with a `ProtocolError` or a `ConnectionError`. */
  start(method: string, params: JsonObject, onProgress?: (progress: Progress) => void): PipeRequest {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = new Promise<JsonObject>((resolve, reject) => this.#open.set(id, { resolve, reject, onProgress }));
    const sent = onProgress === undefined ? params : { ...params, _meta: { ...toMeta(params), progressToken: id } };
    try {
      this.#post({ jsonrpc: "2.0", id, method, params: sent });
    } catch (error) {
      this.#take(id)?.reject(error);
    }
    return {
      answer,
      cancel: (reason) => {
        const request = this.#take(id);
        if (request === undefined) return;
        request.reject(new Error(reason));
        try {
          this.#post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } });
        } catch {
          // The server has ended.
        }
      },
    };
  }

  /** Takes a message that answers one of these requests, or reports its progress. False where it is another's. */
  receive(message: JsonObject): boolean {
    if (Object.hasOwn(message, "method")) return this.#receiveProgress(message);
    const id = ownValue(message, "id");
    const number = Number(id);
    if (!(number >= FIRST_ID && number < this.#nextId)) return false;
    const request = this.#take(number);
    if (request === undefined) return true; // It came too late.
    const result = ownValue(message, "result");
    if (id !== number)
      request.reject(this.#failures.protocol(`it answers the request ${number} under the id "${number}"`));
    else if (isJsonObject(result)) request.resolve(result);
    else request.reject(toProtocolError(message["error"] as JsonObject));
    return true;
  }

  /** Fails all that are open: no answer comes any more. */
  close(reason: ConnectionError): void {
    for (const id of [...this.#open.keys()]) this.#take(id)?.reject(reason);
  }

  #take(id: number): OpenRequest | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  #receiveProgress(message: JsonObject): boolean {
    if (message["method"] !== "notifications/progress") return false;
    const { progressToken, progress, total, message: text } = message["params"] as JsonObject;
    const request = this.#open.get(Number(progressToken));
    if (request === undefined) return false;
    if (typeof progress !== "number") return true;
    request.onProgress?.({
      progress,
      ...withoutUndefined({
        total: typeof total === "number" ? total : undefined,
        message: typeof text === "string" ? text : undefined,
      }),
    });
    return true;
  }
}

function toMeta({ _meta: meta }: JsonObject): JsonObject {
  return isJsonObject(meta) ? meta : {};
}

function toProtocolError({ code, message, data }: JsonObject): ProtocolError {
  return ProtocolError.fromError(code as number, message as string, data);
}
