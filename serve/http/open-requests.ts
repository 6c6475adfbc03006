import type { Transport } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cancelledRequest, isRequest, toMessages } from "./messages.ts";

/**
 * The requests of one session that have no answer yet. The transport finds the stream of an answer by the request's id, so two requests
 * with one id would get one answer: JSON-RPC 2.0 leaves the ids to the client, MCP wants each used once in a session.
 */
export class OpenRequests {
  readonly #ids = new Set<JsonValue>();

  /** Sees each answer that the transport sends. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message) && message.id !== undefined) this.#ids.delete(message.id);
      return send(message, options);
    };
  }

  /** Adds the requests of a body, or none of them where one has the id of another: false then. */
  add(body: JsonValue | undefined): boolean {
    // What is cancelled is never answered.
    for (const cancelled of toMessages(body).map(cancelledRequest)) {
      if (cancelled !== undefined) this.#ids.delete(cancelled);
    }
    const ids = idsOf(body);
    if (new Set(ids).size < ids.length || ids.some((id) => this.#ids.has(id))) return false;
    for (const id of ids) this.#ids.add(id);
    return true;
  }

  /** Takes the requests of a body out again that the transport has refused whole. */
  drop(body: JsonValue | undefined): void {
    for (const id of idsOf(body)) this.#ids.delete(id);
  }
}

function idsOf(body: JsonValue | undefined): JsonValue[] {
  return toMessages(body)
    .filter(isRequest)
    .map(({ id }) => id as JsonValue);
}
