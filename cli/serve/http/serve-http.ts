import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listenFailed } from "../../../schemas/errors.ts";
import { oneLine } from "../../report.ts";
import { answerRequest, type HttpState, MCP_PATH } from "./answer-request.ts";
import { type HttpService, makeClientEndpoint } from "./client-endpoint.ts";
import type { HttpPlan } from "./http-plan.ts";
import { refuse } from "./json-rpc-refusal.ts";
import type { SessionLimits } from "./legacy-sessions.ts";
import { formatHost, type ListenAddress } from "./listen-address.ts";
import { OpenWork } from "./open-work.ts";
import { sendResponse } from "./send-response.ts";

export interface HttpOptions extends HttpService {
  /** Told where MCP is served, and of mistakes in codemode itself. */
  note(text: string): void;
  limits?: Partial<HttpLimits>;
}

/** Times are in milliseconds. */
export interface HttpLimits extends SessionLimits {
  /** How long runs may go on when the server is told to end; they are cancelled then. */
  drainMs: number;
}

/** Few clients say that they leave. Whoever listens is not idle, and what was dropped comes back in a millisecond. */
const SESSION_IDLE_MS = 2 * 60_000;
const DEFAULT_LIMITS: HttpLimits = { drainMs: 10_000, sessionIdleMs: SESSION_IDLE_MS, maxSessions: 1000 };

/** Of receiving a request; streams that are sent may take as long as they like. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // Longer than load balancers keep idle connections, so that none sends into one that is just being closed.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** For runs that were cancelled to be answered. */
const CANCEL_MS = 3000;

/** For answers that are ready to reach their clients before connections are cut. */
const FLUSH_MS = 1000;

/** Serves MCP over HTTP until the signal is aborted; resolves when every run and connection has ended. */
export async function serveHttp(plan: HttpPlan, options: HttpOptions, signal: AbortSignal): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const onError = (error: unknown): void =>
    options.note(`error: ${oneLine(error instanceof Error ? error.message : String(error))}`);
  const endpoints = new Map(
    plan.clients.map((client) => [client, makeClientEndpoint(client.access, options, limits, onError)] as const),
  );
  const state: HttpState = { plan, endpoints, runs: new OpenWork(), isClosing: false };
  const responses = new OpenWork();
  const server = createServer(TIMEOUTS, (incoming, outgoing) => {
    const answering = answerRequest(state, incoming, outgoing).catch(async (error: unknown) => {
      onError(error);
      if (outgoing.headersSent) outgoing.destroy();
      else await sendResponse(refuse(500, "Internal error", {}, -32_603), outgoing);
    });
    void responses.track(answering);
  });
  try {
    const { address, family, port } = await listen(server, plan.address);
    const host = family === "IPv6" ? formatHost(address) : address;
    options.note(`codemode serves MCP at http://${host}:${port}${MCP_PATH}`);
    await aborted(signal);
    // It still answers that it is not ready: load balancers look away before connections are refused.
    state.isClosing = true;
    await state.runs.settled(limits.drainMs);
    await options.stop?.(CANCEL_MS);
  } finally {
    await Promise.all([...endpoints.values()].map((endpoint) => endpoint.close()));
    await responses.settled(FLUSH_MS);
    await close(server);
  }
}

function listen(server: HttpServer, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(listenFailed(`${formatHost(host)}:${port}`, error.code ?? error.message)),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function close(server: HttpServer): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
