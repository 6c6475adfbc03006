import { type Attempt, firstAttempt, nextAttempt, probeTimeout } from "./connect-attempts.ts";
import type { ServerLog } from "./call-listener.ts";
import type { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { LoadAuth } from "./http/connection-auth.ts";
import type { McpClient } from "./mcp-client.ts";
import type { MessageTransport } from "./wire/message-transport.ts";
import type { ServerTarget } from "./server-target.ts";
import { StdioTransport } from "./stdio/stdio-transport.ts";

/** A transport with a client on it whose handshake is through. */
export interface Link {
  client: McpClient;
  transport: MessageTransport;
}

export interface LinkSettings {
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
    // What the older transport says to a server that is none is no help to anybody.
    if (attempt !== "old-http" || firstError === undefined) firstError = outcome.error;
    attempt = settings.signal?.aborted === true ? undefined : nextAttempt(target, tried, outcome);
  }
  throw firstError as ConnectionError;
}

async function tryToConnect(target: ServerTarget, attempt: Attempt, settings: LinkSettings) {
  const { failures, onToolsChanged, onLog, signal } = settings;
  const transport = await makeTransport(target, attempt, settings);
  try {
    // A process starts while the SDK is still being loaded.
    const { connectMcpClient } = await import("./mcp-client.ts");
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
  { failures, maxMessageBytes, listens, loadAuth }: LinkSettings,
): Promise<MessageTransport> {
  if (target.transport === "stdio") return new StdioTransport(target, failures, maxMessageBytes);
  const [{ HttpTransport }, auth] = await Promise.all([
    import("./http/http-transport.ts"),
    loadAuth?.(target, failures.learnSecret),
  ]);
  const transport = attempt === "old-http" ? "sse" : "http";
  return new HttpTransport({ ...target, transport }, failures, { maxMessageBytes, listens, auth });
}
