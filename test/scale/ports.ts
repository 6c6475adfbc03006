import type { ChildProcess } from "node:child_process";
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

const LOOK_EVERY_MS = 100;
const MOST_LOOKS = 300;
const MOST_PORTS = 5;

/**
 * Starts a server on a free port of this machine, and waits until it answers. A port that another program has taken meanwhile ends it: then
 * it is started on another one.
 */
export async function startOnFreePort(
  start: (port: number) => ChildProcess,
  isReady: (port: number) => Promise<boolean> = isListening,
): Promise<{ port: number; server: ChildProcess }> {
  for (let ports = 1; ports <= MOST_PORTS; ports += 1) {
    const port = await findFreePort();
    const server = start(port);
    const isGone = (): boolean => server.exitCode !== null || server.signalCode !== null;
    for (let looks = 0; looks < MOST_LOOKS && !isGone(); looks += 1) {
      const isAnswered = await isReady(port);
      // sleeps: between two looks at a program that starts
      await delay(LOOK_EVERY_MS);
      // What answers may be the program that has the port.
      if (isAnswered && !isGone()) return { port, server };
    }
    server.kill("SIGKILL");
  }
  throw new Error(`The server did not start on any of ${MOST_PORTS} ports.`);
}

/** Ends a server with a signal, and waits for its end. */
export async function endServer(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
}

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  const isOpen = await new Promise<boolean>((settle) => {
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });
  socket.destroy();
  return isOpen;
}
