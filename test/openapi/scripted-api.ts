import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it came. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
}

/** An API whose answers a test writes; it lists what it was asked. */
export async function startScriptedApi(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
