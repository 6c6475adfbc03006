import type { OnRefused } from "./refused-access.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { VERSION } from "../../schemas/version.ts";
import { hasOneHost, isAllowedHost, isAllowedOrigin, answerPreflight, crossOriginHeaders } from "./allowed-names.ts";
import type { ClientEndpoint } from "./client-endpoint.ts";
import { type HttpPlan, type HttpClient, identifyClient } from "./http-plan.ts";
import { isRequest, isSubscription, toMessages, refuse, type ReadBody, readJsonBody, toReadBody } from "./json-rpc.ts";
import type { OpenWork } from "./open-work.ts";
import { answerOperator, isOfApprovals, type OperatorList } from "./approval-routes.ts";
import { sendResponse } from "./http-listener.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";

export const MCP_PATH = "/mcp";
/** Where the draft of server cards has them (SEP-2127). */
const CARD_PATH = `${MCP_PATH}/server-card`;
const HEALTH_PATH = "/health";
const READY_PATH = "/ready";

/** What requests are answered from. */
export interface HttpState {
  plan: HttpPlan;
  endpoints: ReadonlyMap<HttpClient, ClientEndpoint>;
  /** Requests whose answer is awaited when the server ends: all but streams that have no end of their own. */
  runs: OpenWork;
  /** Where the operator answers over HTTP. */
  approvals?: OperatorList | undefined;
  phase: ServingPhase;
  /** Receives requests without a token that is known. */
  onRefused?: OnRefused | undefined;
  isReady?: (() => boolean) | undefined;
}

/** `draining`: it is about to end and says so, but serves on; `closing`: it takes no new requests. */
export type ServingPhase = "serving" | "draining" | "closing";

/** Answers one HTTP request: guards first, then the endpoint of the client. Resolves when the response is sent. */
export async function answerRequest(
  state: HttpState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const shared = crossOriginHeaders(incoming, state.plan.allowedOrigins);
  for (const [name, value] of Object.entries(shared)) outgoing.setHeader(name, value);
  const send = (response: Response): Promise<void> => {
    // So that the next request of the connection goes to another replica.
    if (state.phase !== "serving") response.headers.set("connection", "close");
    return sendResponse(response, outgoing);
  };
  if (!hasOneHost(incoming)) return send(refuse(400, "Only one Host may be named"));
  const client = identifyClient(incoming.headers.authorization, state.plan.clients);
  const endpoint = client === undefined ? undefined : state.endpoints.get(client);
  const early = answerEarly(state, incoming, endpoint !== undefined);
  if (early !== undefined) return send(await early);
  if (endpoint === undefined) return send(unauthorized(incoming));

  const { body: sent, refusal }: ReadBody = incoming.method === "POST" ? await readJsonBody(incoming) : {};
  if (refusal !== undefined) return send(refusal);
  const body = toReadBody(sent);
  const asked = toMessages(body).filter(isRequest);
  // What runs may still be cancelled, and asked users may still answer.
  if (state.phase === "closing" && (asked.length > 0 || incoming.method === "GET")) return send(closing());
  const answering = endpoint.answer(toWebRequest(incoming, outgoing), body, send);
  return asked.some((message) => !isSubscription(message)) ? state.runs.track(answering) : answering;
}

/** What can be said without reading the body: how this process is, or why the request goes no further. */
function answerEarly(
  state: HttpState,
  incoming: IncomingMessage,
  isKnown: boolean,
): Response | Promise<Response> | undefined {
  const { headers, method = "" } = incoming;
  const path = pathOf(incoming);
  // Probes of a load balancer come with the address of this machine, and no page learns a secret here.
  if (path === HEALTH_PATH || path === READY_PATH) {
    return ["GET", "HEAD"].includes(method) ? answerProbe(state, path) : wrongMethod("GET, HEAD");
  }
  const { allowedHosts, allowedOrigins, operatorDigest: tokenDigest } = state.plan;
  if (!isAllowedHost(headers.host, allowedHosts)) {
    return refuse(403, "This Host is not served; add it to serve.allowedHosts");
  }
  if (!isAllowedOrigin(headers.origin, allowedOrigins)) {
    return refuse(403, "This Origin is not served; add it to serve.allowedOrigins");
  }
  if (method === "OPTIONS" && headers.origin !== undefined) return answerPreflight(incoming);
  if (path === CARD_PATH)
    return ["GET", "HEAD"].includes(method) ? answerCard(state, headers) : wrongMethod("GET, HEAD");
  const { approvals } = state;
  if (isOfApprovals(path) && approvals !== undefined && tokenDigest !== undefined)
    return answerOperator({ approvals, tokenDigest, onRefused: state.onRefused }, incoming, path);
  if (!isKnown) {
    state.onRefused?.("mcp", incoming);
    return unauthorized(incoming);
  }
  if (path !== MCP_PATH) return refuse(404, `Not found; MCP is at ${MCP_PATH}`);
  return ["GET", "POST", "DELETE"].includes(method) ? undefined : wrongMethod("GET, POST, DELETE");
}

/** A process that lets its last runs end is healthy: who asks for its health would cut them off. It takes no new ones, so it is not ready. */
function answerProbe({ phase, isReady }: HttpState, path: typeof HEALTH_PATH | typeof READY_PATH): Response {
  const status = phase !== "serving" ? "closing" : isReady?.() === false ? "without-store" : "ok";
  return Response.json(
    { status, version: VERSION },
    { status: status !== "ok" && path === READY_PATH ? 503 : 200, headers: { "cache-control": "no-store" } },
  );
}

function answerCard(
  { plan }: HttpState,
  { host = "", "x-forwarded-proto": protocol }: IncomingMessage["headers"],
): Response {
  const needsToken = plan.clients.every(({ tokenDigest }) => tokenDigest !== undefined);
  return printServerCard(host, protocol === "https" ? "https" : "http", needsToken);
}

function unauthorized({ headers: { authorization } }: IncomingMessage): Response {
  // RFC 6750, section 3.1: no error code without credentials.
  const challenge = authorization === undefined ? "Bearer" : 'Bearer error="invalid_token"';
  const message = authorization === undefined ? "A bearer token is required" : "The bearer token is not valid";
  return refuse(401, message, { "www-authenticate": challenge });
}

function wrongMethod(allow: string): Response {
  return refuse(405, "Method not allowed", { allow });
}

function closing(): Response {
  return refuse(503, "The server is shutting down", { "retry-after": "1" });
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] as string;
}

/** Without a body, which is handed over parsed. Its signal is aborted when the client goes before it has its answer. */
function toWebRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    // Handlers must not see the token.
    name === "authorization" ? [] : values.map((value): [string, string] => [name, value]),
  );
  return new Request(`http://localhost${MCP_PATH}`, { method: incoming.method ?? "GET", headers, signal: gone.signal });
}

/**
 * The server card, as drafted in SEP-2127: who serves here, where, and in which revisions. It holds nothing of a project, because it is
 * read before a client has shown its token.
 * @param host the `Host` header, which is one that is served
 * @param scheme as clients see it: a proxy in front of this process may speak TLS
 */
export function printServerCard(host: string, scheme: "http" | "https", needsToken: boolean): Response {
  const token = {
    name: "Authorization",
    value: "Bearer {token}",
    variables: { token: { description: "The token of the client", isRequired: true, isSecret: true } },
  };
  const remote = {
    type: "streamable-http",
    url: `${scheme}://${host}${MCP_PATH}`,
    ...withoutUndefined({ headers: needsToken ? [token] : undefined }),
    supportedProtocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
  };
  const card = {
    $schema: "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json",
    name: `${reverseName(host)}/codemode`,
    version: VERSION,
    title: "codemode",
    description: "Runs scripts against the tools of MCP servers, in a sandbox.",
    remotes: [remote],
  };
  return Response.json(card, {
    headers: { "content-type": "application/mcp-server-card+json", "cache-control": "no-store" },
  });
}

/** `tools.example.com:8080` becomes `com.example.tools`; an address of IP has no such name. */
function reverseName(host: string): string {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  const isName = /^[a-z0-9.-]+$/.test(name) && !/^[\d.]+$/.test(name);
  return isName ? name.split(".").toReversed().join(".") : "localhost";
}
