import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A port on this machine that is free now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until a server on this machine takes connections. */
export async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const socket = createConnection(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((settle) => {
      socket.once("connect", () => settle(true)).once("error", () => settle(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(100);
  }
  throw new Error(`No server listens on port ${port}.`);
}
