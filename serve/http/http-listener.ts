import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listenFailed } from "../../schemas/config/serve-errors.ts";
import { formatHost, type ListenAddress } from "./listen-address.ts";

/** Of receiving a request; streams that are sent may take as long as they like. */
export const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // Longer than load balancers keep idle connections, so that none sends into one that is just being closed.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** A stream says something in this time, so that its reader knows within 5 s of a machine that is gone. */
export const KEEP_ALIVE_MS = 2000;

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
