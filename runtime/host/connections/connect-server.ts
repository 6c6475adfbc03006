import { type JsonObject } from "../../../schemas/json.ts";
import { type ServerSnapshot } from "../../../schemas/lockfile.ts";
import { CLIENT_CAPABILITIES } from "./client-identity.ts";
import { makeConnectionFailures, type ConnectionFailures } from "./connection-failures.ts";
import { listTools, ToolListError, type ToolList } from "./list-tools.ts";
import { type McpClient } from "./mcp-client.ts";
import { type MessageTransport } from "./message-transport.ts";
import { type CallOptions, type ServerConnection } from "./server-connection.ts";
import { type ServerTarget } from "./server-target.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { ConnectionError } from "./connection-error.ts";

export type { ServerConnection, ServerTarget };

export interface ConnectOptions {
  signal?: AbortSignal | undefined;
  /** The longest message that a server may send; 64 MiB unless given. */
  maxMessageBytes?: number | undefined;
}

/** JSON-RPC's "method not found". */
const METHOD_NOT_FOUND = -32601;

/** Starts a server and does the handshake. Throws `ConnectionError`; then nothing of the server is left. */
export async function connectServer(target: ServerTarget, options: ConnectOptions = {}): Promise<ServerConnection> {
  const failures = makeConnectionFailures(target);
  const transport = makeTransport(target, failures, options);
  const listeners = new Set<() => void>();
  try {
    // The process starts while the SDK is still being loaded.
    const { connectMcpClient } = await import("./mcp-client.ts");
    const client = await connectMcpClient(transport, failures, {
      era: target.era ?? "legacy",
      timeoutMs: target.timeoutMs,
      signal: options.signal,
      onToolsChanged: () => listeners.forEach((listener) => listener()),
    });
    return makeConnection(target, client, transport, failures, listeners);
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** The one place that knows which transports there are. */
function makeTransport(target: ServerTarget, failures: ConnectionFailures, options: ConnectOptions): MessageTransport {
  return new StdioTransport(target, failures, options.maxMessageBytes);
}

function makeConnection(
  target: ServerTarget,
  client: McpClient,
  transport: MessageTransport,
  failures: ConnectionFailures,
  listeners: Set<() => void>,
): ServerConnection {
  return {
    id: target.id,

    get ending() {
      return transport.ending;
    },

    async snapshot(signal?: AbortSignal): Promise<ServerSnapshot> {
      const { tools, problems } = await listAllTools(target, client, failures, signal);
      return {
        ...client.handshake,
        clientCapabilities: CLIENT_CAPABILITIES,
        tools,
        ...(problems.length === 0 ? {} : { problems }),
      };
    },

    callTool(name: string, input: JsonObject | undefined, options: CallOptions = {}): Promise<JsonObject> {
      const params: JsonObject = input === undefined ? { name } : { name, arguments: input };
      return client.request("tools/call", params, `the call of tool "${name}"`, {
        signal: options.signal,
        timeoutMs: options.timeoutMs ?? target.timeoutMs,
        onProgress: options.onProgress,
      });
    },

    onToolsChanged(listener: () => void): () => void {
      const own = () => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },

    close: () => transport.close(),
  };
}

/** The time-out is for the whole walk: a server that gives a thousand slow pages must not take a thousand times as long. */
async function listAllTools(
  target: ServerTarget,
  client: McpClient,
  failures: ConnectionFailures,
  signal: AbortSignal | undefined,
): Promise<ToolList> {
  const deadline = performance.now() + target.timeoutMs;
  try {
    return await listTools(async (params) => {
      const timeoutMs = deadline - performance.now();
      if (timeoutMs <= 0) throw failures.timedOut("tools/list", target.timeoutMs);
      return client.request("tools/list", params, "tools/list", { timeoutMs, signal });
    });
  } catch (error) {
    if (error instanceof ToolListError) throw failures.protocol(error.message);
    if (!(error instanceof ConnectionError)) throw error;
    if (error.kind === "timeout") throw failures.timedOut("tools/list", target.timeoutMs);
    // A server without tools need not know the method (MCP, capability negotiation).
    const hasTools = Object.hasOwn(client.handshake.capabilities, "tools");
    if (error.code === METHOD_NOT_FOUND && !hasTools) return { tools: [], problems: [] };
    throw error;
  }
}
