import type { Transport } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cancelledRequest, isRequest, toMessages } from "./messages.ts";

/**
 * The requests of one session that have no answer yet. The transport finds the stream of an answer by the request's id, so two requests
 * with one id would get one answer: JSON-RPC 2.0 leaves the ids to the client, MCP wants each used once in a session.
 */
export class OpenRequests {
  /** With what each is to be done when it is over. */
  readonly #ids = new Map<JsonValue, () => void>();
  readonly #opened: (id: JsonValue) => () => void;

  /** @param opened called with the id of each; what it returns is called when the request is answered or cancelled */
  constructor(opened: (id: JsonValue) => () => void = () => () => undefined) {
    this.#opened = opened;
  }

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
      if (cancelled !== undefined) this.remove(cancelled);
    }
    const ids = idsOf(body);
    if (new Set(ids).size < ids.length || ids.some((id) => this.#ids.has(id))) return false;
    for (const id of ids) this.#ids.set(id, this.#opened(id));
    return true;
  }

  /** Takes the requests of a body out again that the transport has refused whole. */
  drop(body: JsonValue | undefined): void {
    for (const id of idsOf(body)) this.remove(id);
  }

  remove(id: JsonValue): void {
    this.#ids.get(id)?.();
    this.#ids.delete(id);
  }

  /** None of them is answered any more. */
  end(): void {
    for (const id of this.#ids.keys()) this.remove(id);
  }
}

function idsOf(body: JsonValue | undefined): JsonValue[] {
  return toMessages(body)
    .filter(isRequest)
    .map(({ id }) => id as JsonValue);
}
