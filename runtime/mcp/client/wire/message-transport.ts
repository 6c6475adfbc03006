import type { JsonObject } from "../../../../schemas/json/json.ts";
import type { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import { findResponseId, type IncomingMessage, type RequestId } from "./json-rpc.ts";
import type { OversizeLine } from "./line-splitter.ts";

/** The default of the longest message that a server may send. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What a transport delivers: a message, or why the answer to a request cannot be used. */
export type Delivery = IncomingMessage | { kind: "failed"; id: RequestId; failure: ConnectionError };

/** A way to carry JSON-RPC messages to a server and back. */
export interface MessageTransport {
  onmessage?: (delivery: Delivery) => void;
  onclose?: () => void;
  readonly kind: "stdio" | "http" | "sse";
  /** Whether the server keeps a session for this connection, which it may lose; only over HTTP. */
  readonly hasSession?: boolean;
  /** Begins to deliver messages. Throws `ConnectionError` where the server cannot be reached. */
  start(): Promise<void>;
  /**
   * Settles when the message has been taken over, and is undefined where it has been already; rejects with what `explainFailure` can read. Only
   * HTTP looks at the headers.
   */
  send(message: JsonObject, headers?: Readonly<Record<string, string>>): Promise<void> | undefined;
  /** Ends the exchange of one request, which tells the server that its answer is not wanted; only where each request has a stream. */
  abandon?(id: RequestId): void;
  /** Ends the connection at once and settles when nothing of the server is left on this machine. */
  close(): Promise<void>;
  /** Why the connection is no more; undefined as long as it lives. */
  readonly ending: ConnectionError | undefined;
  /** Whether it ended without our doing. */
  readonly endedByServer: boolean;
  /** What to say when the server ended, or did not get ready in time, before the handshake was through. */
  explainFailedStart(timedOutAfterMs?: number): ConnectionError;
  /** What an error of `start` or `send` means, where that is this transport's to know. */
  explainFailure?(error: unknown, action: string): ConnectionError | undefined;
  /** The handshake is through: from now on `close` gives the server time to save its work. */
  markReady(): void;
  /** From now on this process waits for the server, or may end without it; only where the transport alone decides that. */
  ref?(): void;
  unref?(): void;
  /** The revision that the handshake settled, which HTTP repeats in a header. */
  setProtocolVersion?(version: string): void;
}

/** A message over the limit fails the request that it answers, where its edges tell which. */
export function toTooLarge(line: OversizeLine, failures: ConnectionFailures, limitBytes: number): Delivery[] {
  const id = findResponseId(line.head, line.tail);
  return id === undefined ? [] : [{ kind: "failed", id, failure: failures.tooLarge(line.byteLength, limitBytes) }];
}
