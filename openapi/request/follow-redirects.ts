import type { AddressGuard } from "./address-guard.ts";
import { exchange, type ExchangeLimits, type HttpReply, type HttpRequest } from "./exchange.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows redirects within its origin. One to another host, port or scheme is the answer: whether to follow it is for
 * the caller to say, and credentials never go there.
 */
export async function followRedirects(
  request: HttpRequest,
  limits: ExchangeLimits,
  guard: AddressGuard,
): Promise<HttpReply> {
  let next = request;
  for (let count = 0; ; count += 1) {
    const reply = await exchange(next, limits, guard);
    const target = count < MAX_REDIRECTS ? targetOf(reply) : undefined;
    if (target === undefined || target.origin !== request.url.origin) return reply;
    next = redirected(next, reply.status, target);
  }
}

function targetOf({ status, headers, url }: HttpReply): URL | undefined {
  const location = headers["location"];
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, url.href)) return undefined;
  return new URL(location, url);
}

/** 303 asks for a GET, and for a POST that is what 301 and 302 have come to mean. */
function redirected(request: HttpRequest, status: number, url: URL): HttpRequest {
  const keeps = status >= 307 || request.method === "HEAD" || (status !== 303 && request.method !== "POST");
  if (keeps) return { ...request, url };
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !/^content-/i.test(name)));
  return { method: "GET", url, headers };
}
