import { defined } from "../json.ts";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { OpenApiError } from "../openapi-error.ts";
import type { AddressGuard } from "./address-guard.ts";

/** One HTTP request, complete. */
export interface HttpRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | undefined;
}

/** What one exchange may cost. */
export interface ExchangeLimits {
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Called as the body arrives, with the bytes so far and, where it is known, of all of it. */
  onProgress?: ((received: number, total: number | undefined) => void) | undefined;
}

/** One HTTP answer, complete. */
export interface HttpReply {
  status: number;
  statusText: string;
  /** Names in lower case; what was sent several times is joined by a comma. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  url: URL;
}

interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
}

/** Connections are kept apart by guard: one that was opened to a private address is used for nothing else. */
const AGENTS = new WeakMap<AddressGuard, Agents>();

/**
 * Sends one request and reads the answer. Nothing is added that was not asked for: no cookies, no proxy, no redirect, no credentials of the
 * address.
 */
export function exchange(request: HttpRequest, limits: ExchangeLimits, guard: AddressGuard): Promise<HttpReply> {
  const { url } = request;
  guard.assertHost(url.hostname);
  const isSecure = url.protocol === "https:";
  const agents = agentsOf(guard);
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal === undefined ? timeout : AbortSignal.any([timeout, limits.signal]);
  return new Promise((resolve, reject) => {
    let hasAnswer = false;
    const fail = (error: unknown): void => reject(explain(error, timeout, limits));
    // On every end of the request: its limit and its caller end it.
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
    const sent = (isSecure ? requestHttps : requestHttp)(
      {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: url.port,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: headersOf(request),
        agent: isSecure ? agents.https : agents.http,
        signal,
        ...defined({ lookup: guard.lookup }),
      },
      (answer) => {
        hasAnswer = true;
        readBody(answer, limits)
          .then((body) => decompress(body, answer.headers["content-encoding"], limits.maxBytes))
          .then((body) => resolve(toReply(answer, body, url)), fail);
      },
    );
    sent.on("error", fail);
    // An event of its own, after which there is neither an answer nor an error.
    sent.on("upgrade", (answer, socket) => {
      socket.destroy();
      fail(
        new OpenApiError(
          "REQUEST_FAILED",
          `the server answered ${answer.statusCode} and changes the protocol`,
          OTHER_HINT,
        ),
      );
    });
    sent.on("close", () => {
      if (!hasAnswer) fail(new OpenApiError("REQUEST_FAILED", "the connection ended without an answer", OTHER_HINT));
    });
    sent.end(request.body);
  });
}

const OTHER_HINT = "Check the address: something else than the API may answer there.";

function agentsOf(guard: AddressGuard): Agents {
  const known = AGENTS.get(guard);
  if (known !== undefined) return known;
  const options = { keepAlive: true, maxSockets: 64, timeout: 60_000 };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  AGENTS.set(guard, agents);
  return agents;
}

function headersOf({ headers, body, method }: HttpRequest): Record<string, string> {
  const hasBody = body !== undefined || !["GET", "HEAD", "OPTIONS", "DELETE", "TRACE"].includes(method);
  const length = hasBody ? { "content-length": String(body?.byteLength ?? 0) } : {};
  return { "accept-encoding": "identity", ...headers, ...length };
}

async function readBody(answer: IncomingMessage, limits: ExchangeLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const total = Number(answer.headers["content-length"] ?? Number.NaN);
  let received = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    received += chunk.byteLength;
    if (received > limits.maxBytes) {
      answer.destroy();
      throw tooLong(limits.maxBytes);
    }
    chunks.push(chunk);
    limits.onProgress?.(received, Number.isFinite(total) ? total : undefined);
  }
  return Buffer.concat(chunks);
}

function tooLong(maxBytes: number): OpenApiError {
  const hint = "Ask for less, such as a smaller page, or raise --max-bytes.";
  return new OpenApiError("REQUEST_FAILED", `the answer is longer than ${maxBytes} bytes`, hint);
}

const DECOMPRESSORS = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** Some servers compress what was asked for as it is. */
async function decompress(body: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  const decode = DECOMPRESSORS.get(encoding?.trim().toLowerCase() ?? "");
  if (decode === undefined || body.byteLength === 0) return body;
  try {
    return await decode(body, { maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong(maxOutputLength);
    throw new OpenApiError(
      "REQUEST_FAILED",
      `the answer is no ${encoding}, as it says`,
      "Report it to the owner of the API.",
    );
  }
}

function toReply(answer: IncomingMessage, body: Buffer, url: URL): HttpReply {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
  return { status: answer.statusCode ?? 0, statusText: answer.statusMessage ?? "", headers, body, url };
}

function explain(error: unknown, timeout: AbortSignal, limits: ExchangeLimits): unknown {
  if (error instanceof OpenApiError) return error;
  if (limits.signal?.aborted === true) return limits.signal.reason;
  if (timeout.aborted) {
    const cause = `there is no answer after ${limits.timeoutMs} ms`;
    return new OpenApiError("REQUEST_FAILED", cause, "Try again later, or raise --timeout.");
  }
  const { code, message } = error as NodeJS.ErrnoException;
  // The message can have an address or a header in it; the code says what happened.
  const cause = `the server cannot be reached: ${code ?? message}`;
  return new OpenApiError("REQUEST_FAILED", cause, "Check the address and the network.");
}
