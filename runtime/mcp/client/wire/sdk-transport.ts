import type { Transport } from "@modelcontextprotocol/client";
import { isJsonObject, ownValue, type JsonObject } from "../../../../schemas/json/json.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import { toFailedResponse } from "./deliver-incoming.ts";
import type { RequestId } from "./json-rpc.ts";
import type { MessageTransport, SendOptions } from "./message-transport.ts";
import { PipeRequests } from "./pipe-requests.ts";

/** What became of the question whether a server is of the modern era; `late-yes` came when it was taken for a no. */
export type ProbeAnswer = "not-asked" | "silence" | "answered" | "late-yes";

/** Their results go past the SDK: its schemas strip unknown keys, and lose the whole result for one bad part. */
const UNTOUCHED_METHODS: ReadonlySet<unknown> = new Set(["tools/call", "tools/list"]);

const TICKET = "codemode/ticket";

/** Says as little as each of those methods allows, in each era. */
const STUB = { resultType: "complete", content: [], tools: [], ttlMs: 0, cacheScope: "private" };

/**
 * What the SDK's client sees of a transport. It notes what the handshake really said, and swaps results for
 * stubs with a ticket, for which `redeem` gives the result as it came.
 */
export class SdkTransport {
  onmessage?: (message: JsonObject) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly hasPerRequestStream: boolean;
  /** The result of `initialize` or `server/discover`, whichever settled the handshake. */
  handshakeResult: JsonObject = {};
  probe: ProbeAnswer = "not-asked";
  /** What goes past the SDK over a pipe; undefined over HTTP, where a request has a stream of its own. */
  readonly pipe: PipeRequests | undefined;

  readonly #transport: MessageTransport;
  readonly #failures: ConnectionFailures;
  readonly #methods = new Map<RequestId, string>();
  readonly #results = new Map<number, JsonObject>();
  #tickets = 0;
  #sentInitialize = false;
  readonly #onLateYes: () => void;

  constructor(transport: MessageTransport, failures: ConnectionFailures, onLateYes: () => void) {
    this.#transport = transport;
    this.#failures = failures;
    this.#onLateYes = onLateYes;
    this.hasPerRequestStream = transport.kind === "http";
    const post = transport.post?.bind(transport);
    this.pipe = post && new PipeRequests(post, failures);
    transport.onmessage = (message) => {
      if (this.pipe?.receive(message) !== true) this.onmessage?.(this.#examine(message));
    };
    transport.onclose = () => {
      this.pipe?.close(transport.ending as ConnectionError);
      this.onclose?.();
    };
    transport.onerror = (error) => this.onerror?.(error);
    // By these two the SDK tells a pipe, where silence means an old server, from HTTP, where it means trouble.
    if (transport.kind === "stdio") Object.assign(this, { pid: null, stderr: null });
  }

  asTransport(): Transport {
    return this as unknown as Transport;
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  send(message: JsonObject, options: SendOptions = {}): Promise<void> {
    const { id, method } = message as { id?: RequestId; method?: string };
    if (method === "server/discover") this.probe = "silence";
    if (method === "initialize") this.#sentInitialize = true;
    if (id !== undefined && method !== undefined) {
      this.#methods.set(id, method);
      options.requestSignal?.addEventListener("abort", () => this.#methods.delete(id), { once: true });
    }
    if (method === "notifications/cancelled") {
      this.#methods.delete((message["params"] as JsonObject)["requestId"] as RequestId);
    }
    return this.#transport.send(message, options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  /** The result that a stub stands for; anything else is its own result. */
  redeem(stub: unknown): JsonObject {
    const ticket = (stub as { _meta?: { [TICKET]?: unknown } })._meta?.[TICKET];
    const result = this.#results.get(ticket as number);
    this.#results.delete(ticket as number);
    return result ?? (stub as JsonObject);
  }

  /** Only the first answer to a request that is still waited for counts; the client passes over all others. */
  #examine(message: JsonObject): JsonObject {
    const id = ownValue(message, "id") as RequestId | undefined;
    if (id === undefined || Object.hasOwn(message, "method")) return message;
    // The client would take "2" for 2.
    if (typeof id === "string" && !this.#methods.has(id) && this.#methods.has(Number(id)))
      return this.#refuse(Number(id));
    const method = this.#methods.get(id);
    this.#methods.delete(id);
    const result = ownValue(message, "result");
    if (method === "server/discover") this.#noteProbeAnswer(result);
    if (!isJsonObject(result)) return message;
    if (method === "initialize") this.handshakeResult = result;
    return UNTOUCHED_METHODS.has(method) && isComplete(result) ? this.#swap(message, result) : message;
  }

  #refuse(id: number): JsonObject {
    this.#methods.delete(id);
    return toFailedResponse(id, this.#failures.protocol(`it answers the request ${id} under the id "${id}"`)).message;
  }

  #noteProbeAnswer(result: unknown): void {
    this.probe = "answered";
    if (!isJsonObject(result) || !Array.isArray(result["supportedVersions"])) return;
    if (!this.#sentInitialize) this.handshakeResult = result;
    else {
      this.probe = "late-yes";
      this.#onLateYes();
    }
  }

  #swap(message: JsonObject, result: JsonObject): JsonObject {
    const ticket = (this.#tickets += 1);
    this.#results.set(ticket, result);
    return { ...message, result: { ...STUB, _meta: { [TICKET]: ticket } } };
  }
}

/** Absent means complete; any other value is the SDK's to judge (MCP 2026-07-28, multi round-trip requests). */
function isComplete(result: JsonObject): boolean {
  const type = ownValue(result, "resultType");
  return type === undefined || type === "complete";
}
