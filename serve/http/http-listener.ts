import { once } from "node:events";
import { createServer, type RequestListener, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { listenFailed } from "../../schemas/config/serve-errors.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";

/** Of receiving a request; streams that are sent may take as long as they like. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // Longer than load balancers keep idle connections, so that none sends into one that is just being closed.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** A stream says something in this time, so that its reader knows within 5 s of a machine that is gone. */
export const KEEP_ALIVE_MS = 2000;

/** Makes a server that waits for requests only as long as these times say. Node waits without end for the first byte of a connection. */
export function makeHttpServer(listener?: RequestListener, silentMs = TIMEOUTS.headersTimeout): HttpServer {
  return createServer(TIMEOUTS, listener).on("connection", (socket: Socket) => {
    const close = (): void => void (socket.bytesRead === 0 && socket.destroy());
    const timer = setTimeout(close, silentMs).unref();
    socket.once("close", () => clearTimeout(timer));
  });
}

/** Begins to listen, and gives the origin that it is reached at. Throws a `CodemodeError` that names the option, written as `--port PORT`. */
export async function listen(server: HttpServer, { host, port }: ListenAddress, option?: string): Promise<string> {
  const found = await new Promise<AddressInfo>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(listenFailed(`${formatHost(host)}:${port}`, error.code ?? error.message, option)),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
  const shown = found.family === "IPv6" ? formatHost(found.address) : found.address;
  return `http://${shown}:${found.port}`;
}

/** Cuts every connection. */
export async function closeListener(server: HttpServer): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Where a server listens. */
export interface ListenAddress {
  /** A name or an address; of IPv6 without brackets. */
  host: string;
  /** 0 for any free port. */
  port: number;
}

const DEFAULT_HOST = "127.0.0.1";

/** Reads `[HOST:]PORT`, with the address of IPv6 in brackets: `8080`, `0.0.0.0:8080`, `[::1]:8080`. */
export function parseListenAddress(text: string, option = "--http"): ListenAddress {
  const match = /^(?:(?:\[(?<address>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9.-]+)):)?(?<port>\d{1,5})$/.exec(text);
  const port = Number(match?.groups?.["port"]);
  if (match === null || port > 65_535) throw optionInvalid(option, "write [HOST:]PORT, for example 8080");
  return { host: match.groups?.["address"] ?? match.groups?.["name"] ?? DEFAULT_HOST, port };
}

/** The host as it stands in a URL. */
export function formatHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Tells whether only this machine can reach a host, written as in a URL or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Sends a response and resolves when all of it is sent, or the client has gone: its stream is then cancelled. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (headers["content-type"]?.startsWith("text/event-stream") !== true || response.body === null) {
    const body = await response.text();
    if (outgoing.destroyed) return;
    const sent = once(outgoing, "close").catch(() => undefined); // the client has disconnected
    const length = response.body === null ? {} : { "content-length": Buffer.byteLength(body) };
    outgoing.writeHead(response.status, { ...headers, ...length }).end(body);
    return void (await sent);
  }
  outgoing.writeHead(response.status, headers);
  // What was asked is begun first.
  await setImmediate();
  // A stream of events may say nothing for long.
  outgoing.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(response.body), outgoing);
  } catch {
    // The client has disconnected, or the stream was interrupted: the response has no receiver.
  }
}
