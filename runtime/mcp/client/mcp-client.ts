import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json/json.ts";
import {
  answerInputRequests,
  answerServer,
  type OpenCall,
  OpenCalls,
  openUrls,
  type ServerRequests,
} from "./answer-server.ts";
import { type CallListener, type ServerLog, SERVER_LOG_LEVELS, type McpLogLevel } from "./call-listener.ts";
import { ConnectionError } from "./connection-error.ts";
import { type ConnectionFailures, toConnectionError } from "./connection-failures.ts";
import { makeListingBounds } from "./list-pages.ts";
import { type Handshake, type HandshakeSettings, META, type ProbeAnswer, shakeHands } from "./handshake.ts";
import { RequestLimits, type RequestTimes } from "./request-limits.ts";
import { RpcError } from "./wire/json-rpc.ts";
import { JsonRpcPeer, type PeerHandlers, type SentWith } from "./wire/json-rpc-peer.ts";
import type { MessageTransport } from "./wire/message-transport.ts";
import { toPlainLine } from "./plain-text.ts";

export interface RequestSettings extends RequestTimes {
  /** Without it questions of the server are declined. */
  listener?: CallListener | undefined;
}

/** An MCP client after its handshake. Its functions throw `ConnectionError` only. */
export interface McpClient {
  handshake: Handshake;
  /** Sends a request and gives its result untouched. `action` is how messages name it. */
  request(
    method: string,
    params: JsonObject,
    action: string,
    settings: RequestSettings & Pick<SentWith, "headers">,
  ): Promise<JsonObject>;
  /** Opens a stream of notifications about the lists whose changes the server announces. In the older eras they come without one. */
  listen: ((timeoutMs: number, signal: AbortSignal) => Promise<OpenStream>) | undefined;
}

/** A stream of notifications that is open; `closed` settles when it is no more. */
export interface OpenStream {
  closed: Promise<"local" | "graceful" | "remote">;
}

export interface ClientSettings extends HandshakeSettings {
  onToolsChanged: () => void;
  onLog: (message: ServerLog) => void;
}

export type ClientOutcome = { ok: true; client: McpClient } | { ok: false; error: ConnectionError; probe: ProbeAnswer };

/** The lists whose changes servers can announce. */
const LISTS = ["tools", "resources", "prompts"];

/** Does the handshake over a transport. On failure the transport is the caller's to close. */
export async function connectMcpClient(
  transport: MessageTransport,
  failures: ConnectionFailures,
  settings: ClientSettings,
): Promise<ClientOutcome> {
  const requests: ServerRequests = { roots: settings.roots, calls: new OpenCalls() };
  const acknowledged = new Map<unknown, () => void>();
  const peer = new JsonRpcPeer(transport, failures, makeHandlers(requests, settings, acknowledged));
  const outcome = await shakeHands({ peer, transport, failures }, settings);
  if (!outcome.ok) return outcome;
  const { handshake } = outcome;
  const excess = makeListingBounds()([handshake.serverInfo, handshake.capabilities]);
  if (excess !== undefined)
    return { ok: false, error: failures.protocol(`what it says of itself ${excess}`), probe: "answered" };
  return { ok: true, client: makeClient(handshake, { peer, transport, failures, requests, acknowledged }) };
}

/** What is done with what a server asks and tells. */
function makeHandlers(
  requests: ServerRequests,
  { onToolsChanged, onLog }: ClientSettings,
  acknowledged: ReadonlyMap<unknown, () => void>,
): PeerHandlers {
  const readLog = makeServerLogReader();
  const listChanges = new Set(LISTS.map((list) => `notifications/${list}/list_changed`));
  return {
    answer: (method, params, signal) => answerServer(method, params, requests, signal),
    notified(method, params) {
      if (listChanges.has(method)) onToolsChanged();
      else if (method === "notifications/subscriptions/acknowledged") acknowledged.get(subscriptionOf(params))?.();
      else if (method === "notifications/message") {
        const message = readLog(params);
        if (message === undefined) return;
        onLog(message);
        requests.calls.listening()?.listener.log?.(message);
      }
    },
  };
}

/** The id of the request that a notification of its stream names. */
function subscriptionOf(params: JsonObject): unknown {
  const meta = ownValue(params, "_meta");
  return isJsonObject(meta) ? meta[`${META}subscriptionId`] : undefined;
}

interface ClientParts {
  peer: JsonRpcPeer;
  transport: MessageTransport;
  failures: ConnectionFailures;
  requests: ServerRequests;
  /** What to do when a stream has been opened, by the id of its request. */
  acknowledged: Map<unknown, () => void>;
}

function makeClient(handshake: Handshake, parts: ClientParts): McpClient {
  const { peer, failures } = parts;
  const isModern = handshake.era === "modern";
  const lists = announcedLists(handshake.capabilities);
  const notifications = Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true]));
  let streams = 0;

  return {
    handshake,

    request: (method, params, action, settings) =>
      exchangeRounds(parts, isModern, action, settings, (answers, limits) => {
        const sent = answers === undefined ? params : { ...params, ...answers };
        const request = peer.request(method, sent, { onProgress: limits.onProgress, headers: settings.headers });
        limits.onStop(request.cancel);
        return isModern ? request.answer.then((result) => checkType(result, method, failures)) : request.answer;
      }),

    listen:
      !isModern || lists.length === 0
        ? undefined
        : (timeoutMs, signal) =>
            openStream(parts, { notifications }, `listen:${(streams += 1)}`, { timeoutMs, signal }),
  };
}

/** How often a server may answer one request by asking for input. */
const MAX_ROUNDS = 10;
/** Before a request is sent again that the server has only put off. */
const UNASKED_PAUSE_MS = 250;

/**
 * Sends a request until its result asks for nothing more, which only results of the modern era do.
 * @param send sends it once, with the answers to what the server asked for
 */
async function exchangeRounds(
  { transport, failures, requests: { roots, calls } }: ClientParts,
  isModern: boolean,
  action: string,
  settings: RequestSettings,
  send: (answers: JsonObject | undefined, limits: RequestLimits) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { listener, signal } = settings;
  if (signal?.aborted === true) throw failures.cancelled(action);
  const limits = new RequestLimits(settings);
  const call: OpenCall = { listener, limits };
  calls.add(call);
  try {
    let answers: JsonObject | undefined;
    for (let round = 0; ; round += 1) {
      let result: JsonObject;
      try {
        result = await send(answers, limits);
      } catch (error) {
        const resume = limits.hold();
        if (round < MAX_ROUNDS && (await openUrls(error, listener, limits).finally(resume))) continue;
        throw error;
      }
      if (!isModern || result["resultType"] !== "input_required") return result;
      if (round === MAX_ROUNDS) throw failures.protocol(`it asked for input ${MAX_ROUNDS} times`);
      const resume = limits.hold();
      answers = await answerInputRequests(result, { roots, listener }, failures, limits.signal).finally(resume);
      if (answers["inputResponses"] === undefined) await delay(UNASKED_PAUSE_MS, undefined, { signal: limits.signal });
      limits.restart();
    }
  } catch (error) {
    if (transport.ending !== undefined && !(error instanceof RpcError || error instanceof ConnectionError))
      throw transport.ending;
    if (limits.expiredMs !== undefined && !(error instanceof ConnectionError))
      throw failures.timedOut(action, limits.expiredMs);
    throw toConnectionError(error, action, settings, transport, failures);
  } finally {
    calls.end(call);
    limits.release();
  }
}

/** The lists whose changes a server announces. */
function announcedLists(capabilities: JsonObject): string[] {
  return LISTS.filter((list) => {
    const capability = ownValue(capabilities, list);
    return isJsonObject(capability) && ownValue(capability, "listChanged") === true;
  });
}

/** MCP 2026-07-28: a result says whether it is one. Where it does not say, it is. */
function checkType(result: JsonObject, method: string, failures: ConnectionFailures): JsonObject {
  const type = ownValue(result, "resultType") ?? "complete";
  if (type === "complete") return result;
  if (type !== "input_required") throw failures.protocol(`Unsupported result type '${String(type)}' for ${method}`);
  const asked = ownValue(result, "inputRequests");
  const asks = isJsonObject(asked) && Object.keys(asked).length > 0;
  if (asks || typeof ownValue(result, "requestState") === "string") return result;
  throw failures.protocol(
    `Invalid result for ${method}: input_required carries neither inputRequests nor requestState`,
  );
}

/** Opens a stream of notifications: it is open when the server acknowledges it, and over with the answer to its request. */
async function openStream(
  { peer, transport, failures, acknowledged }: ClientParts,
  params: JsonObject,
  id: string,
  settings: { timeoutMs: number; signal: AbortSignal },
): Promise<OpenStream> {
  const action = "subscriptions/listen";
  const { signal } = settings;
  const limits = new RequestLimits(settings);
  const request = peer.request(action, params, { id });
  limits.onStop(request.cancel);
  const closed = request.answer
    .then(
      () => "graceful" as const,
      () => (signal.aborted ? ("local" as const) : ("remote" as const)),
    )
    .finally(() => {
      acknowledged.delete(id);
      limits.release();
    });
  try {
    await new Promise<void>((resolve, reject) => {
      acknowledged.set(id, resolve);
      request.answer.then(() => reject(failures.interrupted()), reject);
    });
    limits.hold();
    return { closed };
  } catch (error) {
    if (limits.expiredMs !== undefined) throw failures.timedOut(action, limits.expiredMs);
    throw toConnectionError(error, action, settings, transport, failures);
  }
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
    return { level: level satisfies McpLogLevel, text: toText(params) };
  };
}

function toText({ logger, data }: JsonObject): string {
  const text = typeof data === "string" ? data : JSON.stringify(isJsonObject(data) ? data : (data ?? null));
  const from = typeof logger === "string" && logger !== "" ? `${logger}: ` : "";
  return toPlainLine(`${from}${text}`.slice(0, 2 * MAX_LENGTH), MAX_LENGTH);
}
