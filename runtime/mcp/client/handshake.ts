import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { ServerSnapshot } from "../../../schemas/lock/server-snapshot.ts";
import { CLIENT_INFO, clientCapabilities } from "./client-identity.ts";
import { ConnectionError, type ConnectionErrorKind } from "./connection-error.ts";
import { type ConnectionFailures, toConnectionError } from "./connection-failures.ts";
import { startPausableTimer } from "./pausable-timer.ts";
import { RpcError } from "./wire/json-rpc.ts";
import type { JsonRpcPeer } from "./wire/json-rpc-peer.ts";
import type { MessageTransport } from "./wire/message-transport.ts";

/** The handshake's data on the server; `serverInfo` and `capabilities` as received, including unknown keys. */
export type Handshake = Pick<
  ServerSnapshot,
  "serverInfo" | "protocolVersion" | "era" | "capabilities" | "instructions"
>;

export interface HandshakeSettings {
  /** How long to wait for the answer whether the server is modern; without it it is taken for legacy. */
  probeTimeoutMs: number | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Absolute paths of the folders that the server may know of. */
  roots: readonly string[];
}

/** What became of the question whether a server is of the modern era; `late-yes` came when it was taken for a no. */
export type ProbeAnswer = "not-asked" | "silence" | "answered" | "late-yes";

export type HandshakeOutcome =
  | { ok: true; handshake: Handshake }
  | { ok: false; error: ConnectionError; probe: ProbeAnswer };

/** A link whose handshake is under way. */
export interface NewLink {
  peer: JsonRpcPeer;
  transport: MessageTransport;
  failures: ConnectionFailures;
}

/** The revision with `server/discover`, and those with `initialize`, the newest first. */
const MODERN_VERSION = "2026-07-28";
const LEGACY_VERSIONS: readonly unknown[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** MCP 2026-07-28: the server does not know the revision of the request, and says which it knows. */
const UNSUPPORTED_VERSION = -32022;

/** What the keys of `_meta` of MCP 2026-07-28 begin with. */
export const META = "io.modelcontextprotocol/";

/** The time of the handshake, or of one part of it, is over. */
class TimeOver extends Error {}

/** Starts a transport and does the handshake over it. On failure the transport is the caller's to close. */
export async function shakeHands(link: NewLink, settings: HandshakeSettings): Promise<HandshakeOutcome> {
  const { probeTimeoutMs = 0, timeoutMs, signal } = settings;
  const giveUp = new AbortController();
  const probe: Probe = { state: "not-asked", onLateYes: () => giveUp.abort() };
  const given = signal === undefined ? giveUp.signal : AbortSignal.any([giveUp.signal, signal]);
  try {
    const handshake = await within(probeTimeoutMs + timeoutMs, negotiate(link, settings, probe), given);
    link.transport.markReady();
    return { ok: true, handshake };
  } catch (error) {
    return { ok: false, error: explainFailure(error, link, settings), probe: probe.state };
  }
}

interface Probe {
  state: ProbeAnswer;
  onLateYes: () => void;
}

async function negotiate(link: NewLink, settings: HandshakeSettings, probe: Probe): Promise<Handshake> {
  const { peer, transport, failures } = link;
  const { probeTimeoutMs, timeoutMs, roots } = settings;
  await transport.start();
  if (probeTimeoutMs !== undefined) {
    const envelope = {
      [`${META}protocolVersion`]: MODERN_VERSION,
      [`${META}clientInfo`]: CLIENT_INFO,
      [`${META}clientCapabilities`]: clientCapabilities(roots),
    };
    const discovered = await discover(link, envelope, probeTimeoutMs, probe);
    if (discovered !== undefined) {
      peer.useEnvelope(envelope);
      transport.setProtocolVersion?.(MODERN_VERSION);
      return toHandshake(discovered, "modern", MODERN_VERSION);
    }
  }
  const params = {
    protocolVersion: LEGACY_VERSIONS[0] as string,
    capabilities: clientCapabilities(roots),
    clientInfo: CLIENT_INFO,
  };
  const result = await within(timeoutMs, peer.request("initialize", params).answer);
  const version = ownValue(result, "protocolVersion");
  if (typeof version !== "string") throw failures.protocol("Invalid result for initialize: it has no protocolVersion");
  if (!LEGACY_VERSIONS.includes(version))
    throw failures.protocol(`Server's protocol version is not supported: ${version}`);
  transport.setProtocolVersion?.(version);
  await peer.notify("notifications/initialized", {});
  return toHandshake(result, "legacy", version);
}

/** Asks a server whether it is modern; undefined where it is not. Throws where it cannot be known. */
async function discover(
  { peer, transport }: NewLink,
  envelope: JsonObject,
  timeoutMs: number,
  probe: Probe,
): Promise<JsonObject | undefined> {
  probe.state = "silence";
  for (let attempts = 1; ; attempts += 1) {
    let isLate = false;
    const { answer } = peer.request("server/discover", { _meta: envelope });
    const noted = answer.then(
      (result) => {
        const isModern = offersModern(result);
        probe.state = isLate && isModern ? "late-yes" : "answered";
        if (probe.state === "late-yes") probe.onLateYes();
        return isModern ? result : undefined;
      },
      (error: unknown) => {
        if (isAnswer(error)) probe.state = "answered";
        throw error;
      },
    );
    try {
      return await within(timeoutMs, noted);
    } catch (error) {
      // Over a pipe silence means an old server; over HTTP it means trouble.
      isLate = error instanceof TimeOver && transport.kind === "stdio";
      const supported = error instanceof RpcError ? supportedVersions(error) : [];
      if (isLate || (isAnswer(error) && supported.every((version) => version < MODERN_VERSION))) return undefined;
      if (attempts === 1 && supported.includes(MODERN_VERSION)) continue;
      if (isAnswer(error) || error instanceof TimeOver) throw error;
      const failure = transport.explainFailure?.(error, "the handshake");
      // With words of JSON-RPC in its body or without.
      const isRefused = failure?.kind === "http-error" || failure?.kind === "rpc-error";
      if (!isRefused || (failure.status ?? 500) >= 500) throw failure ?? error;
      return undefined;
    }
  }
}

/** What an answer fails with that cannot be used. */
const UNUSABLE: ReadonlySet<ConnectionErrorKind> = new Set(["interrupted", "protocol", "too-large"]);

/** Whether a server has answered, with a refusal or with nothing that can be used. */
function isAnswer(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof ConnectionError && UNUSABLE.has(error.kind));
}

function offersModern(result: JsonObject): boolean {
  const versions = ownValue(result, "supportedVersions");
  return Array.isArray(versions) && versions.includes(MODERN_VERSION);
}

/** The revisions that a server knows, where that is why it refuses a request. */
function supportedVersions({ code, data }: RpcError): string[] {
  const versions = code === UNSUPPORTED_VERSION && isJsonObject(data) ? ownValue(data, "supported") : undefined;
  return Array.isArray(versions) ? versions.filter((version) => typeof version === "string") : [];
}

function toHandshake(answer: JsonObject, era: Handshake["era"], protocolVersion: string): Handshake {
  const meta = ownValue(answer, "_meta");
  const serverInfo = ownValue(answer, "serverInfo") ?? (isJsonObject(meta) ? meta[`${META}serverInfo`] : undefined);
  const capabilities = ownValue(answer, "capabilities");
  const instructions = ownValue(answer, "instructions");
  return {
    serverInfo: isJsonObject(serverInfo) ? serverInfo : {},
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    protocolVersion,
    era,
    ...withoutUndefined({ instructions: typeof instructions === "string" ? instructions : undefined }),
  };
}

function explainFailure(
  error: unknown,
  { transport, failures }: NewLink,
  settings: HandshakeSettings,
): ConnectionError {
  if (settings.signal?.aborted === true) return failures.cancelled("the start");
  if (error instanceof TimeOver) return transport.explainFailedStart(settings.timeoutMs);
  if (transport.endedByServer) return transport.explainFailedStart();
  return toConnectionError(error, "the handshake", settings, transport, failures);
}

/** Waits no longer than that, and not beyond the abort of the signal. */
function within<Result>(milliseconds: number, promise: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("aborted"));
    const limit = startPausableTimer(milliseconds, () => reject(new TimeOver()));
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      limit.stop();
      signal?.removeEventListener("abort", abort);
    });
  });
}
