import { setTimeout as delay } from "node:timers/promises";
import { whenAborted } from "../../engine/when-aborted.ts";
import { answerRequest, type HttpState, MCP_PATH } from "./answer-request.ts";
import { type HttpService, makeClientEndpoint } from "./client-endpoint.ts";
import { closeListener, listen, makeHttpServer, sendResponse } from "./http-listener.ts";
import type { HttpPlan } from "./http-plan.ts";
import type { OnRefused } from "./refused-access.ts";
import { refuse } from "./json-rpc.ts";
import type { SessionLimits } from "./legacy-sessions.ts";
import { OpenWork } from "./open-work.ts";

export type HttpOptions = HttpService & {
  /** Receives the address of MCP. */
  note(text: string): void;
  /** Receives internal errors. */
  onFailure(error: unknown): void;
  limits?: Partial<HttpLimits> | undefined;
  /** How long requests are served on after the signal, in milliseconds; asked when it comes. None without it. */
  drainMs?(): number;
  /** Whether load balancers should send requests here; true without it. */
  isReady?(): boolean;
  onRefused?: OnRefused | undefined;
};

/** Times are in milliseconds. */
export interface HttpLimits extends SessionLimits {
  /** How long runs may continue after the last request was taken, before they are cancelled. */
  endMs: number;
}

/** Few clients close their session. Listening clients are not idle, and a dropped session is restored in a millisecond. */
const SESSION_IDLE_MS = 2 * 60_000;
const DEFAULT_LIMITS: HttpLimits = { endMs: 10_000, sessionIdleMs: SESSION_IDLE_MS, maxSessions: 1000 };

/** For runs that were cancelled to be answered. */
const CANCEL_MS = 3000;

/** For answers that are ready to reach their clients before connections are cut. */
const FLUSH_MS = 1000;

/** Serves MCP over HTTP until the signal is aborted; resolves when every run and connection has ended. */
export async function serveHttp(plan: HttpPlan, options: HttpOptions, signal: AbortSignal): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const onError = options.onFailure;
  const endpoints = new Map(
    plan.clients.map((client) => [client, makeClientEndpoint(client.access, options, limits, onError)] as const),
  );
  const state: HttpState = {
    ...{ plan, endpoints, runs: new OpenWork(), phase: "serving", isReady: options.isReady },
    approvals: options.openApprovals,
    onRefused: options.onRefused,
  };
  const responses = new OpenWork();
  const server = makeHttpServer((incoming, outgoing) => {
    const answering = answerRequest(state, incoming, outgoing).catch(async (error: unknown) => {
      // The client has gone in the middle of its request.
      if (incoming.destroyed && !incoming.complete) return void outgoing.destroy();
      onError(error);
      if (outgoing.headersSent) outgoing.destroy();
      else await sendResponse(refuse(500, "Internal error", {}, -32_603), outgoing);
    });
    void responses.track(answering);
  });
  try {
    options.note(`codemode serves MCP at ${await listen(server, plan.address)}${MCP_PATH}`);
    await whenAborted(signal);
    // Load balancers learn of it by `/ready` and go on sending until then, so requests are served until they have looked.
    const drainMs = options.drainMs?.() ?? 0;
    state.phase = "draining";
    if (drainMs > 0) options.note(`codemode takes requests for ${drainMs} ms more, then it ends`);
    await delay(drainMs);
    state.phase = "closing";
    await Promise.all([state.runs.settled(limits.endMs), options.finish?.(limits.endMs)]);
    await options.stop?.(CANCEL_MS);
  } finally {
    await Promise.all([...endpoints.values()].map((endpoint) => endpoint.close()));
    await responses.settled(FLUSH_MS);
    await closeListener(server);
  }
}
