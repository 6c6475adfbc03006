import type { ServerConfig } from "../../../schemas/config/config.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";

/**
 * Every attribute of spans and metrics, with what it means. Those without `codemode.` are of the semantic conventions for MCP and
 * generative AI.
 */
export const ATTRIBUTES = {
  "mcp.method.name":
    "`tools/call`; for resources and prompts in scripts `resources/list`, `resources/read` or `prompts/get`",
  "mcp.protocol.version": "the revision of MCP that both sides speak",
  "mcp.session.id": "of a client whose revision has sessions, over HTTP",
  "jsonrpc.request.id": "of the client's request",
  "rpc.response.status_code": "the error code of a JSON-RPC response",
  "gen_ai.operation.name": "always `execute_tool`",
  "gen_ai.tool.name":
    "the name of an existing tool; for tools of servers, of a locked one (`resource:…` and `prompt:…` for resources and prompts)",
  "gen_ai.tool.call.arguments": "with `telemetry.payloads`: masked and cut",
  "gen_ai.tool.call.result": "with `telemetry.payloads`: masked and cut",
  "network.transport": "`pipe` or `tcp`",
  "network.protocol.name": "`http`, where it is",
  "server.address": "the host of a remote server",
  "server.port": "its port",
  "error.type":
    "why it failed: `tool_error`, a JSON-RPC code, the code of a diagnostic, the class of a refusal, or the kind of a failed connection",
  "codemode.run.id": "a UUID, the same as in the logs",
  "codemode.run.key": "the idempotency key of a script's run, from the caller or made",
  "codemode.run.origin": "`cli`, `batch`, `serve-stdio`, `serve-http` or `ui`",
  "codemode.run.kind": "`script`, or `call` for one tool without a script",
  "codemode.run.outcome": "`ok` or `error`",
  "codemode.run.calls": "how many calls were made or refused",
  "codemode.run.diagnostics": "the codes of all errors",
  "codemode.run.result.bytes": "of the result's JSON",
  "codemode.run.log.bytes": "of the console output",
  "codemode.access.place": "`mcp`, `approvals` or `metrics`",
  "codemode.access.token": "`missing` or `unknown`",
  "codemode.client": "the name of the client in `serve.clients`",
  "codemode.script.name": "of a saved script",
  "codemode.bundle.digest": "SHA-256 of the code that ran, the same as in the audit log",
  "codemode.review.verdict": "the decision of policy and user on the script",
  "codemode.limit": "the limit that was hit, a key of `limits`",
  "codemode.queue.wait": "in seconds",
  "codemode.queue.state": "`running` or `waiting`",
  "codemode.pool.state": "`ready`, `busy` or `starting`",
  "codemode.server.id": "the server that was called",
  "codemode.server.event": "`connected`, `restarted`, `unreachable` or `disconnected`",
  "codemode.drift.handling": "`refreshed`, `pending`, `accepted`, `warned` or `refused`",
  "codemode.call.number": "counts the calls of a run, from 1",
  "codemode.call.outcome": "`ok`, `tool_error`, `refused`, `skipped`, `failed` or `cancelled`",
  "codemode.call.input.bytes": "of the arguments' JSON",
  "codemode.call.result.bytes": "of the result's JSON",
} as const satisfies { [name: string]: string };

export type SpanAttribute = keyof typeof ATTRIBUTES;

/** What is not known is left out. */
export type TelemetryAttributes = { [name in SpanAttribute]?: string | number | string[] };

/** Names of others, as long as one likes to read: servers may give their tools names of any length. */
const MAX_NAME = 128;

export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}

/** The range that JSON-RPC reserves for errors of protocols. All other numbers are the server's own, and any of them may come. */
export function isReservedCode(code: number): boolean {
  return Number.isInteger(code) && code >= -32_768 && code <= -32_000;
}

export type EndpointOf = (serverId: string) => TelemetryAttributes;

/** How each server is reached, as attributes. An address with placeholders in its host is left out. */
export function makeEndpoints(servers: readonly ServerConfig[]): EndpointOf {
  let endpoints: Map<string, TelemetryAttributes> | undefined;
  return (serverId) => {
    endpoints ??= new Map(servers.map((server) => [server.id, toEndpoint(server)]));
    return endpoints.get(serverId) ?? {};
  };
}

const PORTS: { readonly [protocol: string]: number } = { "http:": 80, "https:": 443 };

function toEndpoint({ source }: ServerConfig): TelemetryAttributes {
  if (source.transport === "stdio") return { "network.transport": "pipe" };
  const http: TelemetryAttributes = { "network.transport": "tcp", "network.protocol.name": "http" };
  if (!URL.canParse(source.url)) return http;
  const { hostname, port, protocol } = new URL(source.url);
  const number = port === "" ? PORTS[protocol] : Number(port);
  return { ...http, "server.address": hostname, ...withoutUndefined({ "server.port": number }) };
}
