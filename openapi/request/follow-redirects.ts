import { OpenApiError } from "../openapi-error.ts";
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
    const target = count < MAX_REDIRECTS ? findRedirect(reply) : undefined;
    if (target === undefined || target.origin !== request.url.origin) return reply;
    next = redirected(next, reply.status, target);
  }
}

/** The address that an answer leads to, where it is no answer itself. */
export function findRedirect({ status, headers, url }: HttpReply): URL | undefined {
  const location = headers["location"];
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, url.href)) return undefined;
  return new URL(location, url);
}

/**
 * Reads what an answer leads to at another origin, such as the store of the files of an API. The request has nothing of ours: no login, no header of
 * an argument, no cookie. It goes to the public network alone, and never from https to http.
 * @param guardOf what of the network an address may reach
 */
export async function followElsewhere(
  first: HttpReply,
  limits: ExchangeLimits,
  guardOf: (url: URL) => AddressGuard,
): Promise<HttpReply> {
  let reply = first;
  for (let count = 0; count < MAX_REDIRECTS; count += 1) {
    const url = findRedirect(reply);
    if (url === undefined || !isAsSafe(reply.url, url)) return reply;
    const headers = { accept: "*/*", "user-agent": "codemode-openapi" };
    try {
      reply = await exchange({ method: "GET", url, headers }, limits, guardOf(url));
    } catch (error) {
      // Where it leads is no place that the word of an API opens: the caller gets the address.
      if (error instanceof OpenApiError && error.code === "SERVER_REFUSED") return reply;
      throw error;
    }
  }
  return reply;
}

function isAsSafe(from: URL, to: URL): boolean {
  const isPlain = to.username === "" && to.password === "";
  return isPlain && (to.protocol === "https:" || (to.protocol === "http:" && from.protocol === "http:"));
}

/** 303 asks for a GET, and for a POST that is what 301 and 302 have come to mean. */
function redirected(request: HttpRequest, status: number, url: URL): HttpRequest {
  const keeps = status >= 307 || request.method === "HEAD" || (status !== 303 && request.method !== "POST");
  if (keeps) return { ...request, url };
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !/^content-/i.test(name)));
  return { method: "GET", url, headers };
}
