import {
  Client,
  SdkError,
  SdkErrorCode,
  SERVER_INFO_META_KEY,
  type CallToolRequest,
  type McpSubscription,
  type StandardSchemaV1,
  type Tool,
} from "@modelcontextprotocol/client";
import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { announcedLists, LISTS } from "./announced-lists.ts";
import { answerServer, type ServerRequests } from "./answer-server.ts";
import { type ServerLog, SERVER_LOG_LEVELS, type ServerLogLevel } from "./call-listener.ts";
import { CLIENT_INFO, clientCapabilities } from "./client-identity.ts";
import type { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import { OpenCalls } from "./open-calls.ts";
import { makeListingBounds } from "./listing-bounds.ts";
import {
  exchangeRounds,
  isTimeout,
  type RequestSettings,
  type SendRound,
  toConnectionError,
} from "./exchange-rounds.ts";
import type { MessageTransport } from "./wire/message-transport.ts";
import type { ProtocolEra, ServerSnapshot } from "../../../schemas/lock/server-snapshot.ts";
import { SdkTransport, type ProbeAnswer } from "./wire/sdk-transport.ts";
import { toPlainLine } from "./plain-text.ts";

/** The handshake's data on the server; `serverInfo` and `capabilities` as received, including unknown keys. */
export type Handshake = Pick<
  ServerSnapshot,
  "serverInfo" | "protocolVersion" | "era" | "capabilities" | "instructions"
>;

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
  onLog: (message: ServerLog) => void;
  /** Absolute paths of the folders that the server may know of. */
  roots: readonly string[];
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
  const { probeTimeoutMs, roots } = settings;
  const client = new Client(CLIENT_INFO, {
    capabilities: clientCapabilities(roots),
    ...(probeTimeoutMs === undefined
      ? {}
      : { versionNegotiation: { mode: "auto", probe: { timeoutMs: toTimer(probeTimeoutMs) } } }),
  });
  for (const list of LISTS)
    client.setNotificationHandler(`notifications/${list}/list_changed`, settings.onToolsChanged);
  const requests: ServerRequests = { roots, calls: new OpenCalls() };
  hearServer(client, requests, settings.onLog);
  const giveUp = new AbortController();
  const sdkTransport = new SdkTransport(transport, failures, () => giveUp.abort());
  const signal = settings.signal === undefined ? giveUp.signal : AbortSignal.any([giveUp.signal, settings.signal]);
  try {
    const timeLimitMs = (probeTimeoutMs ?? 0) + settings.timeoutMs;
    const connecting = client.connect(sdkTransport.asTransport(), { timeout: toTimer(settings.timeoutMs), signal });
    await withTimeout(connecting, timeLimitMs, signal);
    transport.markReady();
    return { ok: true, client: makeClient(client, sdkTransport, transport, failures, requests) };
  } catch (error) {
    const reason = explainFailedHandshake(error, transport, failures, settings);
    return { ok: false, error: reason, probe: sdkTransport.probe };
  }
}

/** What servers ask and log passes by the SDK's own handlers, which refuse a question for one odd key. */
function hearServer(client: Client, requests: ServerRequests, onLog: (message: ServerLog) => void): void {
  client.fallbackRequestHandler = ({ method, params = {} }, { mcpReq }) =>
    answerServer(method, params as JsonObject, requests, mcpReq.signal);
  const readLog = makeServerLogReader();
  client.fallbackNotificationHandler = async ({ method, params = {} }) => {
    const message = method === "notifications/message" ? readLog(params as JsonObject) : undefined;
    if (message === undefined) return;
    onLog(message);
    requests.calls.listening()?.listener.log?.(message);
  };
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
  requests: ServerRequests,
): McpClient {
  const handshake = toHandshake(client, sdkTransport.handshakeResult);
  const excess = makeListingBounds()([handshake.serverInfo, handshake.capabilities]);
  if (excess !== undefined) throw failures.protocol(`what it says of itself ${excess}`);

  const exchange = (action: string, settings: RequestSettings, send: SendRound): Promise<JsonObject> =>
    exchangeRounds({ era: handshake.era, transport, failures, requests }, action, settings, send);
  const { pipe } = sdkTransport;
  const goesPastSdk = pipe !== undefined && handshake.era === "legacy";

  return {
    handshake,

    request: (method, params, action, settings) =>
      exchange(action, settings, (answers, limits) => {
        if (!goesPastSdk) {
          const asked = { method, params: { ...params, ...answers } };
          return client.request(asked, ANYTHING, limits.options).then((stub) => sdkTransport.redeem(stub));
        }
        const request = pipe.start(method, params, limits.onProgress);
        limits.onStop(request.cancel);
        return request.answer;
      }),

    callWithHeaders: (params, inputSchema, action, settings) =>
      exchange(action, settings, async (answers, limits) =>
        sdkTransport.redeem(
          await client.callTool(
            { ...(params as CallToolRequest["params"]), ...answers },
            {
              ...limits.options,
              // Without its output schema, or the SDK would judge the result by it.
              toolDefinition: { name: params["name"], inputSchema } as Tool,
            },
          ),
        ),
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
    ...withoutUndefined({ instructions }),
  };
}

function toTimer(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), LONGEST_TIMER_MS);
}

const MAX_LENGTH = 2_000;
/** Of one server: so many at once, and so many a second from there on. */
const MAX_BURST = 100;
const PER_SECOND = 20;

/** Makes the reader of `notifications/message` of one server. It gives undefined for what is malformed, and for what is too much. */
function makeServerLogReader(now = performance.now.bind(performance)): (params: JsonObject) => ServerLog | undefined {
  let tokens = MAX_BURST;
  let filledAt = now();
  return (params) => {
    const elapsed = now() - filledAt;
    tokens = Math.min(MAX_BURST, tokens + (elapsed / 1000) * PER_SECOND);
    filledAt += elapsed;
    const level = SERVER_LOG_LEVELS.find((known) => known === params["level"]);
    if (tokens < 1 || level === undefined) return undefined;
    tokens -= 1;
    return { level: level satisfies ServerLogLevel, text: toText(params) };
  };
}

function toText({ logger, data }: JsonObject): string {
  const text = typeof data === "string" ? data : JSON.stringify(isJsonObject(data) ? data : (data ?? null));
  const from = typeof logger === "string" && logger !== "" ? `${logger}: ` : "";
  return toPlainLine(`${from}${text}`.slice(0, 2 * MAX_LENGTH), MAX_LENGTH);
}
