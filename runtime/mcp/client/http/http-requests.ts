import { readRetryAfter } from "../../../bindings/read-retry-after.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { HttpFacts } from "../connection-failures.ts";
import type { HttpTarget } from "../server-target.ts";
import type { Line } from "../wire/line-splitter.ts";
import type { ConnectionAuth, Fetch } from "./connection-auth.ts";

/** One request to the server. */
export interface HttpRequest {
  method: "DELETE" | "GET" | "POST";
  url: URL;
  /** Beside the configured ones and the token. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

/** A response whose status is no success. */
export class HttpRefusal extends Error {
  readonly status: number;
  /** What its body begins with. */
  readonly body: string;
  readonly facts: HttpFacts;
  /** The scope that the token lacks, where the server says so; empty where it does not say which. */
  readonly missingScope: string | undefined;

  constructor(response: Response, body: string) {
    super(`HTTP ${response.status}`);
    this.status = response.status;
    this.body = body;
    this.facts = toFacts(response);
    this.missingScope = response.status === 403 ? readMissingScope(response.headers) : undefined;
  }
}

/** Of an error's body, more than is ever quoted. */
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * Makes what sends the requests of a connection: with the configured headers, with the token of the login, once more with a new token
 * after HTTP 401, and to another place where a redirect stays within the origin. It rejects with an `HttpRefusal` for each status that
 * is no success, and with what `fetch` throws.
 */
export function makeHttpRequests(
  target: Pick<HttpTarget, "headers">,
  auth: ConnectionAuth | undefined,
): (request: HttpRequest) => Promise<Response> {
  const configured = Object.fromEntries(
    Object.entries(target.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const plainFetch: Fetch = (url, init) => fetch(url, init);
  const send = auth?.withProof?.(plainFetch) ?? plainFetch;

  async function sendOnce({ method, url, headers, body, signal }: HttpRequest): Promise<Response> {
    const token = await auth?.token();
    const accept =
      configured["accept"] === undefined ? {} : { accept: `${configured["accept"]}, ${headers["accept"]}` };
    const init: RequestInit = {
      method,
      signal,
      headers: {
        ...configured,
        ...withoutUndefined({ authorization: token === undefined ? undefined : `Bearer ${token}` }),
        ...headers,
        ...accept,
      },
      ...withoutUndefined({ body }),
    };
    return sendWithinOrigin(send, url, init);
  }

  return async (request) => {
    let response = await sendOnce(request);
    if (response.status === 401 && auth !== undefined) {
      await auth.renew(response);
      await discardBody(response);
      response = await sendOnce(request);
    }
    if (response.ok) return response;
    throw new HttpRefusal(response, await readHead(response));
  };
}

/** More are a circle. */
const MAX_REDIRECTS = 5;

/**
 * Follows redirects that keep the method and stay within the origin: no other place gets the headers. Any other redirect is an answer
 * like each that is no success.
 */
async function sendWithinOrigin(send: Fetch, url: URL, init: RequestInit): Promise<Response> {
  let current = url;
  for (let followed = 0; ; followed += 1) {
    const response = await send(current, { ...init, redirect: "manual" });
    const next = followed < MAX_REDIRECTS ? redirectTarget(response, current, init.method === "GET") : undefined;
    if (next === undefined) return response;
    await discardBody(response);
    current = next;
  }
}

function redirectTarget(response: Response, from: URL, isGet: boolean): URL | undefined {
  const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  const keepsMethod = isGet || response.status === 307 || response.status === 308;
  const to = new URL(location, from);
  return keepsMethod && isWithinOrigin(from, to) ? to : undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether what was meant for one place may be sent to the other: the same origin, or its HTTPS form with both on the usual port. */
function isWithinOrigin(from: URL, to: URL): boolean {
  if (to.username !== "" || to.password !== "") return false;
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname;
  return isUpgrade && from.port === "" && to.port === "";
}

function toFacts({ status, headers }: Response): HttpFacts {
  const retryAfterMs = readRetryAfter(headers.get("retry-after"));
  const location = status >= 300 && status < 400 ? (headers.get("location") ?? undefined) : undefined;
  return withoutUndefined({ retryAfterMs, location });
}

/** Undefined where the challenge says nothing of a scope (RFC 6750, section 3.1). */
function readMissingScope(headers: Headers): string | undefined {
  const challenge = headers.get("www-authenticate") ?? "";
  if (!/^(?:bearer|dpop) /i.test(challenge) || !/\berror="?insufficient_scope\b/.test(challenge)) return undefined;
  const [, quoted, plain] = /\bscope=(?:"([^"]*)"|([^\s,"]+))/.exec(challenge) ?? [];
  return quoted ?? plain ?? "";
}

/** A body as one line. Beyond the limit it is not read. */
export async function readBoundedBody({ body }: Response, limitBytes: number): Promise<Line> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of body ?? []) {
    byteLength += chunk.byteLength;
    if (byteLength > limitBytes) return { kind: "oversize", head: "", tail: "", byteLength };
    chunks.push(chunk);
  }
  const [first] = chunks;
  const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, byteLength);
  return { kind: "line", text: Buffer.from(bytes.buffer, bytes.byteOffset, byteLength).toString("utf8") };
}

/** Reads a body that is of no use, so that its connection can carry the next request; a long one ends its connection. */
export async function discardBody(response: Response): Promise<void> {
  await readHead(response);
}

/** Empty where the body breaks off. */
async function readHead({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      byteLength += chunk.byteLength;
      if (byteLength > ERROR_BODY_BYTES) break;
    }
  } catch {
    return "";
  }
  return Buffer.concat(chunks).toString("utf8", 0, ERROR_BODY_BYTES);
}

/** The media type of a response without its parameters; empty where it has none. */
export function mediaTypeOf({ headers }: Response): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Undefined where messages would go to another place than the one that was configured. */
export function toEndpoint(text: string, url: URL): URL | undefined {
  const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
  const isOwn = endpoint?.origin === url.origin && endpoint.username === "" && endpoint.password === "";
  return isOwn ? endpoint : undefined;
}
