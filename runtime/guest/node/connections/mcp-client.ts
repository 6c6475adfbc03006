import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SERVER_INFO_META_KEY,
  type CallToolRequest,
  type ElicitResult,
  type McpSubscription,
  type Progress,
  type RequestOptions,
  type StandardSchemaV1,
  type Tool,
} from "@modelcontextprotocol/client";
import { isJsonObject, ownValue, type JsonObject } from "../json.ts";
import { announcedLists, LISTS } from "./announced-lists.ts";
import { CLIENT_INFO, clientCapabilities, type Elicit } from "./client-identity.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { MessageTransport } from "./wire/message-transport.ts";
import type { ProtocolEra } from "./server-target.ts";
import { SdkTransport, type ProbeAnswer } from "./wire/sdk-transport.ts";

/** The handshake's data on the server; `serverInfo` and `capabilities` as received, including unknown keys. */
export interface Handshake {
  serverInfo: JsonObject;
  protocolVersion: string;
  era: ProtocolEra;
  capabilities: JsonObject;
  instructions?: string;
}

export interface RequestSettings {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Each report starts `timeoutMs` again. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** What all reports together can prolong a request to. */
  maxTotalMs?: number | undefined;
}

/** An MCP client after its handshake. Its functions throw `ConnectionError` only. */
export interface McpClient {
  handshake: Handshake;
  /** Sends a request and gives its result untouched. `action` is how messages name it. */
  request(method: string, params: JsonObject, action: string, settings: RequestSettings): Promise<JsonObject>;
  /** The same for `tools/call` of a tool some of whose arguments go into headers as well. */
  callWithHeaders(
    params: JsonObject,
    inputSchema: JsonObject,
    action: string,
    settings: RequestSettings,
  ): Promise<JsonObject>;
  /** Opens a stream of notifications about the lists whose changes the server announces; only in the modern era. */
  listen(timeoutMs: number, signal: AbortSignal): Promise<McpSubscription>;
}

export interface HandshakeSettings {
  /** How long to wait for the answer whether the server is modern; without it it is taken for legacy. */
  probeTimeoutMs: number | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onToolsChanged: () => void;
  elicit?: Elicit | undefined;
}

export type HandshakeOutcome =
  { ok: true; client: McpClient } | { ok: false; error: ConnectionError; probe: ProbeAnswer };

/** Node's timers fire at once above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Where the SDK leaves a result to its caller, it passes as it is. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "codemode", validate: (value) => ({ value }) },
};

/**
 * Does the handshake over a transport. The SDK is slow to import, so import this file when a connection is wanted and not
 * before. On failure the transport is the caller's to close.
 */
export async function connectMcpClient(
  transport: MessageTransport,
  failures: ConnectionFailures,
  settings: HandshakeSettings,
): Promise<HandshakeOutcome> {
  const { probeTimeoutMs, elicit } = settings;
  const client = new Client(CLIENT_INFO, {
    capabilities: clientCapabilities(elicit),
    ...(probeTimeoutMs === undefined
      ? {}
      : { versionNegotiation: { mode: "auto", probe: { timeoutMs: toTimer(probeTimeoutMs) } } }),
  });
  for (const list of LISTS)
    client.setNotificationHandler(`notifications/${list}/list_changed`, settings.onToolsChanged);
  if (elicit !== undefined) {
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => (await elicit(params as JsonObject)) as ElicitResult,
    );
  }
  const giveUp = new AbortController();
  const sdkTransport = new SdkTransport(transport, failures, () => giveUp.abort());
  const signal = settings.signal === undefined ? giveUp.signal : AbortSignal.any([giveUp.signal, settings.signal]);
  const { options, release } = toRequestOptions({ ...settings, signal });
  try {
    const timeLimitMs = (probeTimeoutMs ?? 0) + settings.timeoutMs;
    await withTimeout(client.connect(sdkTransport.asTransport(), options), timeLimitMs, signal);
    transport.markReady();
    return { ok: true, client: makeClient(client, sdkTransport, transport, failures) };
  } catch (error) {
    const reason = explainFailedHandshake(error, transport, failures, settings);
    return { ok: false, error: reason, probe: sdkTransport.probe };
  } finally {
    release();
  }
}

/** The SDK's probe does not look at the signal, and it waits for the start of a transport for ever. */
function withTimeout(connecting: Promise<void>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("aborted"));
    const timer = setTimeout(() => reject(new SdkError(SdkErrorCode.RequestTimeout, "start")), toTimer(milliseconds));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    connecting.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
  });
}

function explainFailedHandshake(
  error: unknown,
  transport: MessageTransport,
  failures: ConnectionFailures,
  settings: HandshakeSettings,
): ConnectionError {
  if (settings.signal?.aborted === true) return failures.cancelled("the start");
  if (isTimeout(error)) return transport.explainFailedStart(settings.timeoutMs);
  if (transport.endedByServer) return transport.explainFailedStart();
  return toConnectionError(error, "the handshake", settings, transport, failures);
}

function makeClient(
  client: Client,
  sdkTransport: SdkTransport,
  transport: MessageTransport,
  failures: ConnectionFailures,
): McpClient {
  async function exchange(
    action: string,
    settings: RequestSettings,
    send: (options: RequestOptions) => Promise<unknown>,
  ): Promise<JsonObject> {
    const { options, release } = toRequestOptions(settings);
    try {
      return sdkTransport.redeem(await send(options));
    } catch (error) {
      if (transport.ending !== undefined && !(error instanceof ProtocolError)) throw transport.ending;
      throw toConnectionError(error, action, settings, transport, failures);
    } finally {
      release();
    }
  }

  const handshake = toHandshake(client, sdkTransport.handshakeResult);
  return {
    handshake,

    request: (method, params, action, settings) =>
      exchange(action, settings, (options) => client.request({ method, params }, ANYTHING, options)),

    callWithHeaders: (params, inputSchema, action, settings) =>
      exchange(action, settings, (options) =>
        client.callTool(params as CallToolRequest["params"], {
          ...options,
          // Without its output schema, or the SDK would judge the result by it.
          toolDefinition: { name: params["name"], inputSchema } as Tool,
        }),
      ),

    async listen(timeoutMs, signal) {
      try {
        const wanted = announcedLists(handshake.capabilities).map((list) => [`${list}ListChanged`, true] as const);
        return await client.listen(Object.fromEntries(wanted), { timeout: toTimer(timeoutMs), signal });
      } catch (error) {
        throw toConnectionError(error, "subscriptions/listen", { timeoutMs, signal }, transport, failures);
      }
    },
  };
}

function toHandshake(client: Client, answer: JsonObject): Handshake {
  const meta = ownValue(answer, "_meta");
  const serverInfo = ownValue(answer, "serverInfo") ?? (isJsonObject(meta) ? meta[SERVER_INFO_META_KEY] : undefined);
  const capabilities = ownValue(answer, "capabilities");
  const instructions = client.getInstructions();
  return {
    serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
    capabilities: isJsonObject(capabilities) ? capabilities : {},
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
  const { signal, onProgress, timeoutMs, maxTotalMs = timeoutMs } = settings;
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort("cancelled");
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    options: {
      timeout: toTimer(timeoutMs),
      signal: cancellation.signal,
      ...(onProgress === undefined
        ? {}
        : {
            onprogress: onProgress,
            resetTimeoutOnProgress: true,
            maxTotalTimeout: toTimer(Math.max(maxTotalMs, timeoutMs)),
          }),
    },
    release: () => signal?.removeEventListener("abort", cancel),
  };
}

function toTimer(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), LONGEST_TIMER_MS);
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** The limit that ended a request although it made progress, in milliseconds. */
function totalTimeoutOf(error: unknown): number | undefined {
  const { maxTotalTimeout } = ((error as SdkError).data ?? {}) as { maxTotalTimeout?: unknown };
  return typeof maxTotalTimeout === "number" ? maxTotalTimeout : undefined;
}

function toConnectionError(
  error: unknown,
  action: string,
  settings: Pick<RequestSettings, "signal" | "timeoutMs">,
  transport: MessageTransport,
  failures: ConnectionFailures,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (error instanceof ProtocolError && error.data instanceof ConnectionError) return error.data;
  if (settings.signal?.aborted === true) return failures.cancelled(action);
  if (isTimeout(error)) return failures.timedOut(action, totalTimeoutOf(error) ?? settings.timeoutMs);
  if (error instanceof ProtocolError) return failures.rpcError(action, error.code, error.message);
  if (error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported) {
    const { method } = (error.data ?? {}) as { method?: unknown };
    return failures.clientLacks(String(method));
  }
  return (
    transport.explainFailure?.(error, action) ??
    failures.protocol(error instanceof Error ? error.message : String(error))
  );
}
