import type { ConnectionError } from "../connection-error.ts";
import type { JsonObject } from "../../../../schemas/json/json.ts";

/** The default of the longest message that a server may send. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** How a message is to be sent; only transports with `hasPerRequestStream` look at it. */
export interface SendOptions {
  /** Ends the exchange of this request alone. */
  requestSignal?: AbortSignal | undefined;
  /** The server has ended the stream of this request. */
  onRequestStreamEnd?: (() => void) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A way to carry JSON-RPC messages to a server and back; in the shape that the SDK's client expects of a transport. */
export interface MessageTransport {
  onmessage?: (message: JsonObject) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly kind: "stdio" | "http" | "sse";
  /** Begins to deliver messages. Throws `ConnectionError` where the server cannot be reached. */
  start(): Promise<void>;
  /** Settles when the message has been taken over; throws what `explainFailure` can read. */
  send(message: JsonObject, options?: SendOptions): Promise<void>;
  /** Sends without waiting until the message has been taken over; only over pipes. Throws `ConnectionError` where it has ended. */
  post?(message: JsonObject): void;
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
