import type { IncomingMessage, ServerResponse } from "node:http";
import { timingSafeEqual } from "node:crypto";
import type { OnRefused } from "./refused-access.ts";
import type { Config } from "../../schemas/config/config.ts";
import { valuesOf } from "../../engine/variables.ts";
import { tokenNeeded } from "../../schemas/config/serve-errors.ts";
import { hasOneHost, isAllowedHost } from "./allowed-names.ts";
import { digestToken, resolveToken, readBearer } from "./http-plan.ts";
import {
  closeListener,
  listen,
  makeHttpServer,
  formatHost,
  isLoopback,
  type ListenAddress,
  parseListenAddress,
} from "./http-listener.ts";

const METRICS_PATH = "/metrics";
const OPTION = "--metrics";

/** Where metrics are read, and by whom. They hold names of tools and clients, so an agent's token is none for them. */
export interface MetricsPlan {
  address: ListenAddress;
  /** Absent where everybody on this machine may read them. */
  tokenDigest?: Buffer | undefined;
  allowedHosts: readonly string[];
}

/** Checks what `serve.metrics` asks for; undefined where it asks for nothing. Throws a `CodemodeError` as `planHttp` does. */
export function planMetrics(config: Config, env: NodeJS.ProcessEnv = process.env): MetricsPlan | undefined {
  const { metrics, allowedHosts } = config.serve;
  if (metrics === undefined) return undefined;
  const address = parseListenAddress(metrics.address, OPTION);
  if (metrics.token === undefined) {
    if (!isLoopback(address.host)) throw tokenNeeded(address.host, OPTION, '"serve.metrics.token"');
    return { address, allowedHosts: [...allowedHosts, formatHost(address.host)] };
  }
  return {
    address,
    allowedHosts,
    tokenDigest: digestToken(resolveToken(metrics.token, '"serve.metrics"', valuesOf(config, env))),
  };
}

/**
 * Serves metrics as text for Prometheus, where that is planned. Returns how to end it; rejects with a `CodemodeError` where it cannot
 * listen.
 */
export async function openMetrics(
  plan: MetricsPlan | undefined,
  print: (() => string) | undefined,
  note: (text: string) => void,
  onRefused?: OnRefused,
): Promise<() => Promise<void>> {
  if (plan === undefined || print === undefined) return async () => undefined;
  const server = makeHttpServer((incoming, outgoing) => answer({ ...plan, onRefused }, print, incoming, outgoing));
  const origin = await listen(server, plan.address, `${OPTION} [HOST:]PORT`);
  note(`codemode serves metrics at ${origin}${METRICS_PATH}`);
  return () => closeListener(server);
}

interface Refusing {
  onRefused: OnRefused | undefined;
}

function answer(
  plan: MetricsPlan & Refusing,
  print: () => string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const refusal = findRefusal(plan, incoming);
  if (refusal === 401) plan.onRefused?.("metrics", incoming);
  if (refusal !== undefined) {
    const challenge = refusal === 401 ? { "www-authenticate": "Bearer" } : {};
    outgoing.writeHead(refusal, { "content-length": 0, ...challenge }).end();
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" });
  outgoing.end(incoming.method === "HEAD" ? undefined : print());
}

function findRefusal({ tokenDigest, allowedHosts }: MetricsPlan, incoming: IncomingMessage) {
  const { headers, method, url } = incoming;
  if (!hasOneHost(incoming)) return 400;
  // A page that has made its name resolve to this machine has no token, but needs none where there is none.
  if (tokenDigest === undefined && !isAllowedHost(headers.host, allowedHosts)) return 403;
  if (tokenDigest !== undefined && !timingSafeEqual(digestToken(readBearer(headers.authorization) ?? ""), tokenDigest))
    return 401;
  if (url?.split("?", 1)[0] !== METRICS_PATH) return 404;
  return method === "GET" || method === "HEAD" ? undefined : 405;
}
