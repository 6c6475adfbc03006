import { type ConnectionError } from "./connection-error.ts";
import { type JsonObject } from "../../../schemas/json.ts";

/** A way to carry JSON-RPC messages to a server and back; in the shape that the SDK's client expects of a transport. */
export interface MessageTransport {
  onmessage?: (message: JsonObject) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Begins to deliver messages. Throws `ConnectionError` where the server cannot be reached. */
  start(): Promise<void>;
  /** Settles when the message has been taken over; throws `ConnectionError` where the connection is closed. */
  send(message: JsonObject): Promise<void>;
  /** Ends the connection at once and settles when nothing of the server is left on this machine. */
  close(): Promise<void>;
  /** Why the connection is no more; undefined as long as it lives. */
  readonly ending: ConnectionError | undefined;
  /** Whether it ended without our doing. */
  readonly endedByServer: boolean;
  /** What to say when the server ended, or did not get ready in time, before the handshake was through. */
  explainFailedStart(timedOutAfterMs?: number): ConnectionError;
  /** The handshake is through: from now on `close` gives the server time to save its work. */
  markReady(): void;
}
