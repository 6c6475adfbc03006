import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type ConnectOptions,
  type Progress,
  type RequestOptions,
  type StandardSchemaV1,
  type Transport,
} from "@modelcontextprotocol/client";
import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json.ts";
import { type ProtocolEra, type ServerSnapshot } from "../../../schemas/lockfile.ts";
import { CLIENT_CAPABILITIES, CLIENT_INFO } from "./client-identity.ts";
import { ConnectionError } from "./connection-error.ts";
import { type ConnectionFailures } from "./connection-failures.ts";
import { type MessageTransport } from "./message-transport.ts";

/** What the handshake told of the server; `serverInfo` and `capabilities` as they came, unknown keys included. */
export type Handshake = Omit<ServerSnapshot, "tools" | "problems" | "clientCapabilities">;

export interface RequestSettings {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** An MCP client after its handshake. Its functions throw `ConnectionError` only. */
export interface McpClient {
  handshake: Handshake;
  /** Sends a request and gives its result untouched. `action` is how messages name it. */
  request(method: string, params: JsonObject, action: string, settings: RequestSettings): Promise<JsonObject>;
}

export interface HandshakeSettings {
  era: ProtocolEra;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onToolsChanged: () => void;
}

/** The revision of the modern era that this version speaks. */
const MODERN_REVISION = "2026-07-28";

/** Node's timers fire at once above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Results pass as they are: the SDK's own schemas strip unknown keys and lose the whole result for one bad part. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "codemode", validate: (value) => ({ value }) },
};

/**
 * Does the handshake over a transport. This is the only file that knows the SDK: it is slow to import, so import this file
 * when a connection is wanted and not before. On failure the transport is the caller's to close.
 */
export async function connectMcpClient(
  transport: MessageTransport,
  failures: ConnectionFailures,
  settings: HandshakeSettings,
): Promise<McpClient> {
  const client = new Client(CLIENT_INFO, {
    capabilities: CLIENT_CAPABILITIES,
    ...(settings.era === "modern" ? { versionNegotiation: { mode: { pin: MODERN_REVISION } } } : {}),
  });
  client.setNotificationHandler("notifications/tools/list_changed", settings.onToolsChanged);
  const initializeResult = observeInitialize(transport);
  const { options, release } = toRequestOptions(settings);
  try {
    await client.connect(transport as unknown as Transport, options as ConnectOptions);
  } catch (error) {
    if (settings.signal?.aborted === true) throw failures.cancelled("the start");
    if (isTimeout(error)) throw transport.explainFailedStart(settings.timeoutMs);
    if (transport.endedByServer) throw transport.explainFailedStart();
    throw toConnectionError(error, "the handshake", settings, failures);
  } finally {
    release();
  }
  transport.markReady();

  async function request(method: string, params: JsonObject, action: string, requestSettings: RequestSettings) {
    const { options, release } = toRequestOptions(requestSettings);
    try {
      return (await client.request({ method, params }, ANYTHING, options)) as JsonObject;
    } catch (error) {
      if (transport.ending !== undefined && !(error instanceof ProtocolError)) throw transport.ending;
      throw toConnectionError(error, action, requestSettings, failures);
    } finally {
      release();
    }
  }

  const answer = client.getDiscoverResult() ?? initializeResult();
  return { handshake: toHandshake(client, answer as JsonObject), request };
}

/** The SDK keeps only the keys it knows of the `initialize` result; the lockfile wants what the server said. */
function observeInitialize(transport: MessageTransport): () => JsonObject {
  let first: JsonObject | undefined;
  transport.onmessage = (message) => {
    const result = ownValue(message, "result");
    if (first === undefined && isJsonObject(result) && Object.hasOwn(result, "protocolVersion")) first = result;
  };
  return () => first ?? {};
}

function toHandshake(client: Client, answer: JsonObject): Handshake {
  const serverInfo = ownValue(answer, "serverInfo") ?? client.getServerVersion() ?? {};
  const capabilities = ownValue(answer, "capabilities") ?? {};
  const instructions = client.getInstructions();
  return {
    serverInfo: serverInfo as JsonObject,
    capabilities: capabilities as JsonObject,
    protocolVersion: client.getNegotiatedProtocolVersion() as string,
    era: client.getProtocolEra() as ProtocolEra,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** A signal of our own, because the SDK tells the server the reason of the one it is given. */
function toRequestOptions(settings: Omit<RequestSettings, "onProgress"> & Partial<RequestSettings>): {
  options: RequestOptions;
  release: () => void;
} {
  const { signal, onProgress } = settings;
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort("cancelled");
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    options: {
      timeout: Math.min(Math.max(settings.timeoutMs, 0), LONGEST_TIMER_MS),
      signal: cancellation.signal,
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    },
    release: () => signal?.removeEventListener("abort", cancel),
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function toConnectionError(
  error: unknown,
  action: string,
  settings: Pick<RequestSettings, "signal" | "timeoutMs">,
  failures: ConnectionFailures,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (error instanceof ProtocolError && error.data instanceof ConnectionError) return error.data;
  if (settings.signal?.aborted === true) return failures.cancelled(action);
  if (isTimeout(error)) return failures.timedOut(action, settings.timeoutMs);
  if (error instanceof ProtocolError) return failures.rpcError(action, error.code, error.message);
  return failures.protocol(error instanceof Error ? error.message : String(error));
}
