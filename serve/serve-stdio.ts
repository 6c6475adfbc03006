import { setImmediate } from "node:timers/promises";
import { serveStdio as serveOverStdio } from "@modelcontextprotocol/server/stdio";
import { whenAborted } from "../engine/when-aborted.ts";
import type { Access } from "../schemas/access/access.ts";
import { standardOutput } from "./standard-output.ts";
import { makeStdioTransport } from "./stdio-transport.ts";
import type { AgentService } from "./agent-service.ts";

/** For runs that are cancelled because the server ends, to be answered. */
const GRACE_MS = 3000;

/** Serves MCP on standard input and output; resolves when the client has hung up or the signal is aborted, and every run has ended. */
export async function serveStdio(service: AgentService, access: Access, signal: AbortSignal): Promise<void> {
  const transport = makeStdioTransport(process.stdin, standardOutput());
  let server: Promise<unknown> = Promise.resolve();
  const handle = serveOverStdio(
    () => {
      const made = service.makeServer(access);
      server = made;
      return made;
    },
    { transport },
  );
  try {
    await new Promise<void>((resolve) => {
      process.stdin.once("close", resolve).once("end", resolve);
      void whenAborted(signal).then(resolve);
      // A message that is too long, or an output that is gone.
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
    });
    // A client that hangs up at once still gets the answer to its handshake.
    await server.then(setImmediate, () => undefined);
  } finally {
    await service.stop(GRACE_MS);
    await handle.close();
  }
}
