import type { JsonObject } from "../../../../schemas/json/json.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, type IncomingMessage, type RequestId } from "./json-rpc.ts";
import type { MessageTransport } from "./message-transport.ts";

/** Hands a message of the server to the client, or does with it what has to be done instead. */
export function deliverIncoming(
  incoming: IncomingMessage,
  transport: Pick<MessageTransport, "onmessage" | "onerror" | "send">,
  failures: ConnectionFailures,
): void {
  try {
    switch (incoming.kind) {
      case "broken":
        transport.onmessage?.(toFailedResponse(incoming.id, failures.protocol(incoming.problem)).message);
        return;
      case "refused": {
        const error = { code: INVALID_REQUEST, message: incoming.problem };
        transport.send({ jsonrpc: "2.0", id: incoming.id, error }).catch(() => undefined);
        return;
      }
      default:
        transport.onmessage?.(incoming.message);
    }
  } catch (error) {
    transport.onerror?.(error as Error);
  }
}

/** The error travels to the waiting request by reference: no server can send one that looks like it. */
export function toFailedResponse(id: RequestId, failure: ConnectionError) {
  const data: object = failure;
  const error = { code: INTERNAL_ERROR, message: failure.message, data: data as JsonObject };
  return { kind: "response" as const, message: { jsonrpc: "2.0", id, error } satisfies JsonObject };
}
