import type { JsonObject } from "../../../schemas/json/json.ts";
import type { CallListener } from "./call-listener.ts";
import type { ConnectionError } from "./connection-error.ts";
import type { ServerSnapshot } from "../../../schemas/lock/server-snapshot.ts";

/** Progress of a call as the server reports it: hostile numbers and text. */
export interface CallProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** Who a call is for. None of it is kept after the call. */
export interface RunCaller {
  /** The run, as the audit log and traces name it. */
  runId?: string | undefined;
  /** The program's own value, for its tools and guards. */
  context?: unknown;
  /** Names the person, for what is kept between scripts; without it what is kept belongs to the client's session. */
  person?: (() => string | undefined) | undefined;
  /** What a transport knows of the request, for handlers of MCP servers: `authInfo`, `requestInfo`, `sessionId`. */
  extra?: { readonly [name: string]: unknown } | undefined;
  /** Whether a call of a tool that asks by itself needs an approval; it does without it. */
  needsApproval?:
    | ((call: { serverId: string; toolName: string }, input: unknown) => boolean | Promise<boolean>)
    | undefined;
  /** Hears that a guard or an approval function of a tool has failed. */
  onFailed?: ((name: string, error: unknown) => void) | undefined;
  /** Does work in the async context of the caller. */
  within?: (<Value>(work: () => Value) => Value) | undefined;
}

export interface CallOptions {
  /** Only a server of this program learns of it. */
  caller?: RunCaller | undefined;
  /** What the check of the program's own tool has made of the input; the function gets it. */
  taken?: { readonly value: unknown } | undefined;
  signal?: AbortSignal | undefined;
  /** Instead of the server's own. Each report of progress starts it again. */
  timeoutMs?: number | undefined;
  /** However much progress the server reports; ten minutes unless given. */
  maxTotalMs?: number | undefined;
  /** Makes the call only if the connection was renewed so often, and throws `session-lost` otherwise: then it was not made. */
  renewals?: number | undefined;
  onProgress?: ((progress: CallProgress) => void) | undefined;
  /** Without it questions of the server are declined. */
  listener?: CallListener | undefined;
  /** Goes into `_meta` of the request. */
  meta?: JsonObject | undefined;
  /** Leaves a long `structuredContent` as text (`printedContent`): it may turn out to be no JSON when it is read. */
  leavesText?: boolean | undefined;
}

/** A server that answers. Every function that waits throws `ConnectionError`. */
export interface ServerConnection {
  readonly id: string;
  /** The reason of its end; undefined while it is open. An ended connection stays closed: connect again. */
  readonly ending: ConnectionError | undefined;
  /** How often it has got a new session in place of a lost one: what was learnt of the server before may be wrong. */
  readonly renewals: number;
  /** Requests the lists again, with all pages, and adds the data of the handshake. */
  snapshot(signal?: AbortSignal): Promise<ServerSnapshot>;
  /**
   * The result of `tools/call` as it came, unknown keys and `isError` included. The names of resources and prompts (`resource:…`, `prompt:…`)
   * give their value as `structuredContent`.
   */
  callTool(name: string, input: JsonObject | undefined, options?: CallOptions): Promise<JsonObject>;
  /** Tells of each change of a list that the server announces, a storm of them undamped. Returns the way to stop listening. */
  onToolsChanged(listener: () => void): () => void;
  /** Fails what is in flight at once; settles when no process of the server is left. */
  close(): Promise<void>;
}
