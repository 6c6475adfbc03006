import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenApiError } from "../openapi-error.ts";

/** Waits on this machine for the answer of a login page (RFC 8252). */
export interface CallbackListener {
  /** Where the login page sends the browser. */
  address: string;
  /** What it sent, with the `state` that was asked for. What else comes is answered and forgotten. */
  wait: (state: string) => Promise<URLSearchParams>;
  close: () => void;
}

const PATH = "/callback";
/** A person logs in meanwhile. */
const WAIT_MS = 600_000;

/** Listens on the loopback address alone, on a free port or on the one that is registered with the client. */
export async function listenForCallback(port = 0): Promise<CallbackListener> {
  let take: ((parameters: URLSearchParams) => boolean) | undefined;
  const server = createServer((request, response) => {
    // Any page of the browser can ask for anything here: a target is a path, and what is none is not there.
    const { url: target = "" } = request;
    const [path, query] = target.split("?", 2);
    const isTaken = request.method === "GET" && path === PATH && take?.(new URLSearchParams(query)) === true;
    response.writeHead(isTaken ? 200 : 404, { "content-type": "text/plain", connection: "close" });
    response.end(isTaken ? "The answer has come. You can close this page.\n" : "There is nothing here.\n");
  });
  await listen(server, port);
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    wait: (state) =>
      new Promise((resolve, reject) => {
        const late = new OpenApiError("LOGIN_FAILED", "no login came in ten minutes", "Start the command again.");
        const timer = setTimeout(() => reject(late), WAIT_MS);
        take = (parameters) => {
          if (parameters.get("state") !== state) return false;
          clearTimeout(timer);
          resolve(parameters);
          return true;
        };
      }),
    close: () => server.close(),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(new OpenApiError("LOGIN_FAILED", `port ${port} cannot be used: ${code}`, "Give another --login-port.")),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
}
