import { AsyncLocalStorage } from "node:async_hooks";
import type { ConnectableServer } from "../../schemas/config/program-server.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import type { RunCaller, ServerConnection } from "@codemode/runtime/connections/server-connection";
import { parseIncoming } from "@codemode/runtime/connections/wire/json-rpc";
import {
  type Delivery,
  MAX_MESSAGE_BYTES,
  type MessageTransport,
  toTooLarge,
} from "@codemode/runtime/connections/wire/message-transport";

/** The other end: the transport that the server gets. */
interface FarEnd {
  onmessage?: (message: JsonObject, extra?: object) => void;
  onclose?: () => void;
  sessionId?: unknown;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Who the call is for that is being sent. */
const callers = new AsyncLocalStorage<RunCaller>();

/** JSON-RPC with a server in this process. Requests are handled in the async context of who sends them. */
export class ProgramTransport implements MessageTransport {
  onmessage?: (delivery: Delivery) => void;
  onclose?: () => void;
  readonly kind = "stdio";
  readonly #make: () => ConnectableServer | Promise<ConnectableServer>;
  readonly #failures: ConnectionFailures;
  readonly #far: FarEnd;
  #ending: ConnectionError | undefined;
  #endedByServer = false;

  constructor(make: () => ConnectableServer | Promise<ConnectableServer>, failures: ConnectionFailures) {
    this.#make = make;
    this.#failures = failures;
    this.#far = {
      start: async () => undefined,
      send: async (message) => this.#receive(message),
      close: async () => this.#end(true),
    };
  }

  get ending(): ConnectionError | undefined {
    return this.#ending;
  }

  get endedByServer(): boolean {
    return this.#endedByServer;
  }

  async start(): Promise<void> {
    const server = await this.#make();
    await server.connect(this.#far);
  }

  send(message: JsonObject): undefined {
    const { context, extra = requestIn(context) } = callers.getStore() ?? {};
    this.#far.sessionId = extra["sessionId"];
    this.#far.onmessage?.(structuredClone(message), extra);
    return undefined;
  }

  async close(): Promise<void> {
    if (this.#ending !== undefined) return;
    this.#end(false);
    this.#far.onclose?.();
  }

  explainFailedStart(): ConnectionError {
    return this.#failures.closed("exit");
  }

  markReady(): void {}

  /** What a server says has the exact form of JSON, as over a pipe, and the same limit. */
  #receive(message: unknown): void {
    const line = JSON.stringify(message);
    const edges = {
      kind: "oversize" as const,
      head: line.slice(0, 1024),
      tail: line.slice(-1024),
      byteLength: line.length,
    };
    const incoming =
      line.length > MAX_MESSAGE_BYTES ? toTooLarge(edges, this.#failures, MAX_MESSAGE_BYTES) : parseIncoming(line);
    for (const one of incoming) this.onmessage?.(one);
  }

  #end(byServer: boolean): void {
    if (this.#ending !== undefined) return;
    this.#endedByServer = byServer;
    this.#ending = this.#failures.closed(byServer ? "exit" : "closed-by-us");
    this.onclose?.();
  }
}

/** The same connection, whose handlers learn who a call is for. */
export function tellingCallers(connection: ServerConnection): ServerConnection {
  const call: Pick<ServerConnection, "callTool"> = {
    callTool: (name, input, options = {}) =>
      callers.run(options.caller ?? {}, () => connection.callTool(name, input, options)),
  };
  return Object.assign(Object.create(connection) as ServerConnection, call);
}

/** What a context says of the request that it was made from, in the words of the MCP SDK. */
function requestIn(context: unknown): { readonly [name: string]: unknown } {
  const { authInfo, requestInfo, sessionId } = Object(context) as { [name: string]: unknown };
  return { authInfo, requestInfo, sessionId };
}
