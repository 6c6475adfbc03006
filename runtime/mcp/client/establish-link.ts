import type { ServerLog } from "./call-listener.ts";
import type { ConnectionError, ConnectionErrorKind } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { LoadAuth } from "./http/connection-auth.ts";
import type { ProbeAnswer } from "./handshake.ts";
import { connectMcpClient, type McpClient } from "./mcp-client.ts";
import type { MessageTransport } from "./wire/message-transport.ts";
import type { ServerTarget } from "./server-target.ts";
import { StdioTransport } from "./stdio/stdio-transport.ts";

/** A transport with a client on it whose handshake is through. */
export interface Link {
  client: McpClient;
  transport: MessageTransport;
}

/** Makes the transport of a server that this program is itself. */
export type OpenTransport = (failures: ConnectionFailures) => MessageTransport;

export interface LinkSettings {
  /** For a target `program`. */
  openTransport?: OpenTransport | undefined;
  failures: ConnectionFailures;
  onToolsChanged: () => void;
  signal?: AbortSignal | undefined;
  maxMessageBytes?: number | undefined;
  onLog: (message: ServerLog) => void;
  loadAuth?: LoadAuth | undefined;
  /** Whether to listen to what a server over HTTP sends unasked; true unless given. */
  listens?: boolean | undefined;
}

/** Starts or reaches the server in the way that it understands. Throws `ConnectionError`; then nothing of it is left. */
export async function establishLink(target: ServerTarget, settings: LinkSettings): Promise<Link> {
  const tried: Attempt[] = [];
  let firstError: ConnectionError | undefined;
  for (let attempt: Attempt | undefined = firstAttempt(target); attempt !== undefined;) {
    tried.push(attempt);
    const outcome = await tryToConnect(target, attempt, settings);
    if (outcome.ok) return outcome.link;
    // What the older transport says to a server that is none is no help, and silence less than a refusal before it.
    const isTelling = attempt !== "old-http" && outcome.error.kind !== "timeout";
    if (isTelling || firstError === undefined) firstError = outcome.error;
    attempt = settings.signal?.aborted === true ? undefined : nextAttempt(target, tried, outcome);
  }
  throw firstError as ConnectionError;
}

async function tryToConnect(target: ServerTarget, attempt: Attempt, settings: LinkSettings) {
  const { failures, onToolsChanged, onLog, signal } = settings;
  const transport = await makeTransport(target, attempt, settings);
  try {
    const probeTimeoutMs = probeTimeout(target, attempt);
    const { timeoutMs, roots = [] } = target;
    const outcome = await connectMcpClient(transport, failures, {
      ...{ onToolsChanged, onLog, signal, roots, probeTimeoutMs, timeoutMs },
    });
    if (outcome.ok) return { ok: true as const, link: { client: outcome.client, transport } };
    const { endedByServer } = transport;
    await transport.close();
    return { ...outcome, endedByServer };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function makeTransport(
  target: ServerTarget,
  attempt: Attempt,
  { failures, maxMessageBytes, listens, loadAuth, openTransport }: LinkSettings,
): Promise<MessageTransport> {
  if (target.transport === "program") return (openTransport as OpenTransport)(failures);
  if (target.transport === "stdio") return new StdioTransport(target, failures, maxMessageBytes);
  const { HttpTransport } = await import("./http/http-transport.ts");
  const auth = loadAuth?.(target, failures.learnSecret);
  const transport = attempt === "old-http" ? "sse" : "http";
  return new HttpTransport({ ...target, transport }, failures, { maxMessageBytes, listens, auth });
}

/**
 * How to find out the era of a server (MCP 2026-07-28, versioning): `legacy` does not ask, `ask` does and takes a short
 * silence for a no, `ask-patiently` gives the server all its time. `old-http` is the transport before streamable HTTP.
 */
type Attempt = "legacy" | "ask" | "ask-patiently" | "old-http";

/** What an attempt came to. */
interface FailedAttempt {
  error: ConnectionError;
  probe: ProbeAnswer;
  endedByServer: boolean;
}

/**
 * Servers before the question was invented answer it with an error at once. Silent ones cost this much; a
 * slow start costs nothing, because `initialize` then waits in the pipe behind the question.
 */
const SHORT_SILENCE_MS = 1_500;

/** Over HTTP there is no pipe to wait in, and a server may have to be woken up first. */
const SHORT_HTTP_SILENCE_MS = 10_000;

/** Signs of a server that does not know what it was asked. */
const REFUSALS: ReadonlySet<ConnectionErrorKind> = new Set(["http-error", "protocol", "rpc-error"]);

/** HTTP statuses by which older servers refuse what they do not know. */
const OLD_HTTP_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 415]);

function firstAttempt(target: ServerTarget): Attempt {
  if (target.transport === "sse") return "old-http";
  if (target.era === undefined) return "ask";
  return target.era === "legacy" ? "legacy" : "ask-patiently";
}

/** What to try after a failure, none of it twice; undefined where nothing would help. */
function nextAttempt(target: ServerTarget, tried: readonly Attempt[], failed: FailedAttempt): Attempt | undefined {
  return chooseNext(target, tried, failed).find((attempt) => !tried.includes(attempt));
}

/** What would help after a failure, the most likely first. */
function chooseNext(target: ServerTarget, tried: readonly Attempt[], failed: FailedAttempt): Attempt[] {
  const { error, probe } = failed;
  const isRefused = REFUSALS.has(error.kind);
  // Some servers end at the first message that is not `initialize`.
  if (failed.endedByServer && probe === "silence") return ["legacy"];
  if (probe === "late-yes") return ["ask-patiently"];
  if (isRefused && probe === "silence" && target.transport === "stdio") return ["ask-patiently"];
  if (target.transport === "stdio") return isRefused && tried.at(-1) === "legacy" ? ["ask-patiently"] : [];
  if (target.transport === "sse" || target.transport === "program") return [];
  if (error.kind === "timeout" && probe === "silence") return ["legacy"];
  const older: Attempt[] = OLD_HTTP_STATUSES.has(error.status) && REFUSALS.has(error.kind) ? ["old-http"] : [];
  if (!isRefused || !tried.includes("legacy")) return older;
  // Where the lockfile says that it was old, it is modern now; a question that was left without an answer may need only time.
  return tried.length === 1 ? ["ask-patiently", ...older] : [...older, "ask-patiently"];
}

/** How long to wait for the answer to the question; undefined where it is not asked. */
function probeTimeout(target: ServerTarget, attempt: Attempt): number | undefined {
  if (attempt === "legacy" || attempt === "old-http") return undefined;
  if (attempt === "ask-patiently") return target.timeoutMs;
  return Math.min(target.transport === "stdio" ? SHORT_SILENCE_MS : SHORT_HTTP_SILENCE_MS, target.timeoutMs / 2);
}
