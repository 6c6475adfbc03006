import {
  Client,
  type CallToolRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestOptions,
  SSEClientTransport,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import { CLIENT_INFO } from "./client-info.ts";
import { explainFailure } from "./explain-failure.ts";
import { makeHttpTransport } from "./http-transport.ts";
import type { LinkFailure } from "./link-failure.ts";
import type { ServerTarget } from "./server-target.ts";
import { StdioTransport } from "./stdio-transport.ts";

export type JsonObject = { [key: string]: unknown };

/** A connection whose handshake is through. Its functions throw `LinkFailure`. */
export interface Link {
  /** Whether arguments have to be repeated in headers: over streamable HTTP, in the modern era. */
  usesHeaders: boolean;
  /** Whether it holds something open that keeps the process alive as long as it is not closed. */
  isHolding: boolean;
  isOpen(): boolean;
  /** Calls the listener whenever the server says that its tools have changed. */
  onToolsChanged(listener: () => void): void;
  /** Sends a request and gives its result untouched. */
  request(method: string, params: JsonObject, action: string): Promise<JsonObject>;
  /** The same for `tools/call` of a tool some of whose arguments go into headers as well. */
  callWithHeaders(params: JsonObject, inputSchema: unknown, action: string): Promise<JsonObject>;
  ref(): void;
  unref(): void;
  close(): Promise<void>;
}

/** A server that reports progress is at work: its time begins again, for ten minutes in all. As codemode's host does it. */
const PROGRESS = { onprogress: () => undefined, resetTimeoutOnProgress: true, maxTotalTimeout: 600_000 };

/** How to find out the protocol era of a server: `ask` first, or take it for a `legacy` one. */
type Approach = "ask" | "legacy" | "sse";

/** How long to wait for the answer to that question; old servers answer it with an error at once, and few keep silent. */
const PROBE_MS = { stdio: 1_500, http: 10_000, sse: 0 };

/** HTTP statuses by which servers of the older transport refuse the newer one. */
const OLD_HTTP_STATUSES: readonly unknown[] = [400, 404, 405, 406, 415];

/** Where the SDK leaves a result to its caller, it passes as it is. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "codemode", validate: (value) => ({ value }) },
};

/** Starts or reaches a server in the way that it understands. Throws `LinkFailure`; then nothing of it is left. */
export async function openLink(target: ServerTarget, name: string, timeoutMs: number): Promise<Link> {
  const first: Approach = target.transport === "sse" ? "sse" : "ask";
  const outcome = await tryToOpen(target, first, name, timeoutMs);
  if (outcome.ok) return outcome.link;
  const second = nextApproach(target, outcome);
  if (second === undefined) throw outcome.failure;
  const again = await tryToOpen(target, second, name, timeoutMs);
  if (again.ok) return again.link;
  // What the older transport says to a server that is none is no help to anybody.
  throw second === "sse" ? outcome.failure : again.failure;
}

function nextApproach(
  target: ServerTarget,
  { failure, endedByServer }: { failure: LinkFailure; endedByServer: boolean },
): Approach | undefined {
  // Some servers end at the first message that is not `initialize`.
  if (target.transport === "stdio") return endedByServer && failure.kind === "closed" ? "legacy" : undefined;
  return target.transport === "http" && OLD_HTTP_STATUSES.includes(failure.status) ? "sse" : undefined;
}

async function tryToOpen(target: ServerTarget, approach: Approach, name: string, timeoutMs: number) {
  const transport = makeTransport(target, approach);
  const probe = { timeoutMs: Math.min(PROBE_MS[target.transport], timeoutMs) };
  const client = new Client(CLIENT_INFO, approach === "ask" ? { versionNegotiation: { mode: "auto", probe } } : {});
  try {
    await client.connect(transport, { timeout: timeoutMs });
    return { ok: true as const, link: makeLink(client, transport, name, timeoutMs) };
  } catch (error) {
    const isStdio = transport instanceof StdioTransport;
    const reason = isStdio ? transport.ending : undefined;
    const endedByServer = isStdio && transport.endedByServer;
    await transport.close();
    const failure = reason ?? explainFailure(error, { name, action: "the handshake", hadSession: false, timeoutMs });
    return { ok: false as const, failure, endedByServer };
  }
}

type LinkTransport = StdioTransport | SSEClientTransport | StreamableHTTPClientTransport;

function makeTransport(target: ServerTarget, approach: Approach): LinkTransport {
  if (target.transport === "stdio") return new StdioTransport(target);
  return makeHttpTransport(approach === "sse" ? { ...target, transport: "sse" } : target);
}

/** At the transport: the client hands a notification on later than the answer that follows it. */
function hearToolChanges(transport: Transport, listener: () => void): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    if ("method" in message && message.method === "notifications/tools/list_changed") listener();
    deliver?.(message, extra);
  };
}

function makeLink(client: Client, transport: LinkTransport, name: string, timeoutMs: number): Link {
  let isOpen = true;
  const notice = client.onclose;
  client.onclose = () => {
    isOpen = false;
    notice?.();
  };
  async function exchange(action: string, send: (options: RequestOptions) => Promise<unknown>): Promise<JsonObject> {
    try {
      return (await send({ timeout: timeoutMs, ...PROGRESS })) as JsonObject;
    } catch (error) {
      const ending = transport instanceof StdioTransport ? transport.ending : undefined;
      const hadSession = transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined;
      throw ending ?? explainFailure(error, { name, action, hadSession, timeoutMs });
    }
  }
  return {
    usesHeaders: transport instanceof StreamableHTTPClientTransport && client.getProtocolEra() === "modern",
    isHolding: transport instanceof SSEClientTransport,
    isOpen: () => isOpen,
    onToolsChanged: (listener) => hearToolChanges(transport, listener),
    request: (method, params, action) =>
      exchange(action, (options) => client.request({ method, params }, ANYTHING, options)),
    callWithHeaders: (params, inputSchema, action) =>
      exchange(action, (options) =>
        client.callTool(params as CallToolRequest["params"], {
          ...options,
          // Without its output schema, or the SDK would judge the result by it.
          toolDefinition: { name: params["name"], inputSchema } as Tool,
        }),
      ),
    ref: () => (transport instanceof StdioTransport ? transport.ref() : undefined),
    unref: () => (transport instanceof StdioTransport ? transport.unref() : undefined),
    close: () => transport.close(),
  };
}
