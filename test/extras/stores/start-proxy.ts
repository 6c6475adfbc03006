import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** In front of a server: it passes bytes on, or takes them and passes nothing on, as a frozen machine or a half-open connection does. */
export interface Proxy {
  /** The address of a server, with the proxy in the place of it. */
  of(url: string): string;
  /** From now on connections are accepted, and what comes over them, old and new, is swallowed. */
  freeze(): void;
  /** From now on only the answers of the server are swallowed. */
  mute(): void;
  /** Passes on again what comes over new connections; the frozen ones are cut. */
  thaw(): void;
  /** Cuts every connection. */
  cut(): void;
}

/** Starts a proxy of this process in front of the server at a URL, which ends with the test. */
export async function startProxy(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  let isFrozen = false;
  let isMuted = false;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    const far = keep(connect(Number(port), hostname));
    const pass = (from: Socket, to: Socket): void => {
      from.on("data", (bytes) => void (isFrozen || (isMuted && from === far) || to.write(bytes)));
      from.on("close", () => void (isFrozen || to.destroy()));
    };
    pass(near, far);
    pass(far, near);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((settle) => void server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => {
    cut();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    of: (address) => Object.assign(new URL(address), { host: `127.0.0.1:${own}` }).href,
    freeze: () => void (isFrozen = true),
    mute: () => void (isMuted = true),
    thaw() {
      [isFrozen, isMuted] = [false, false];
      cut();
    },
    cut,
  };
}
