import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Waits on this machine for the browser to come back from a login (RFC 8252, section 7.3). */
export interface RedirectReceiver {
  redirectUrl: string;
  /** What the redirect must repeat. */
  state: string;
  /** The parameters of the first redirect with the right state. Rejects with the signal's reason. */
  receive(signal?: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const PATH = "/callback";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  connection: "close",
};

/**
 * @param state is what the redirect must repeat (RFC 6749, section 10.12)
 * @param preferredPort is taken where it is free: some authorization servers insist on the one that they know
 */
export async function openRedirectReceiver(state: string, preferredPort = 0): Promise<RedirectReceiver> {
  let onReceived: (parameters: URLSearchParams) => void = () => undefined;
  const received = new Promise<URLSearchParams>((resolve) => (onReceived = resolve));

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method !== "GET" || url.pathname !== PATH || url.searchParams.get("state") !== state) {
      response.writeHead(404, HEADERS).end("<p>There is nothing here.</p>");
      return;
    }
    // Text of our own only: what the parameters say is not to be trusted.
    response.writeHead(200, HEADERS).end("<p>codemode has what it needs. You can close this page.</p>");
    onReceived(url.searchParams);
  });
  await listen(server, preferredPort).catch(() => listen(server, 0));
  const { port } = server.address() as AddressInfo;

  return {
    state,
    redirectUrl: `http://127.0.0.1:${port}${PATH}`,
    receive: (signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal?.reason as Error);
        if (signal?.aborted === true) abort();
        signal?.addEventListener("abort", abort, { once: true });
        void received.then(resolve).finally(() => signal?.removeEventListener("abort", abort));
      }),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 200).unref(); // the page may still be on its way
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}
