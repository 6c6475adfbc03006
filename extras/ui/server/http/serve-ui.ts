import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeListener, listen, TIMEOUTS } from "../../../../serve/http/http-listener.ts";
import type { UiProject } from "../ui-project.ts";
import { answerCall, sendJson } from "./answer-call.ts";
import { type Guard, makeGuard, SECURITY_HEADERS } from "./guard.ts";
import { type PageFiles, readPageFiles } from "./page-files.ts";

/** Only programs of this machine reach it. */
const ADDRESS = "127.0.0.1";
const API_PREFIX = "/api/";

/** A page that is served. */
export interface ServedUi {
  /** With the token. Anyone with the address can run scripts. */
  url: URL;
  /** Ends all that runs. */
  close(): Promise<void>;
}

/**
 * Serves the page on the loopback address.
 * @param openProject gives the same project each time; no request asks for it before it is let through
 * @param options.port 0 for any free one
 * @param options.onFailure receives internal errors
 */
export async function serveUi(
  openProject: () => Promise<UiProject>,
  { port, onFailure }: { port: number; onFailure: (error: unknown) => void },
): Promise<ServedUi> {
  const files = readPageFiles();
  const server = createServer(TIMEOUTS);
  const origin = await listen(server, { host: ADDRESS, port }, "--port PORT");
  const guard = makeGuard(new URL(origin).port);
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void answerRequest({ guard, files, openProject }, incoming, outgoing).catch((error: unknown) => {
      onFailure(error);
      outgoing.destroy();
    });
  });
  return {
    url: new URL(`${origin}/#${guard.token}`),
    close: () => closeListener(server),
  };
}

interface UiState {
  guard: Guard;
  files: PageFiles;
  openProject: () => Promise<UiProject>;
}

async function answerRequest(
  { guard, files, openProject }: UiState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const path = (incoming.url ?? "").split("?", 1)[0] ?? "";
  const isCall = path.startsWith(API_PREFIX);
  const refusal = isCall ? guard.refuseCall(incoming) : guard.refuseFile(incoming);
  if (refusal !== undefined) return sendJson(outgoing, refusal.status, { error: { message: refusal.message } });
  if (isCall) return answerCall(path.slice(API_PREFIX.length), await openProject(), incoming, outgoing);
  const file = files(path);
  if (file === undefined) return sendJson(outgoing, 404, { error: { message: "There is nothing here." } });
  outgoing.writeHead(200, { ...SECURITY_HEADERS, ...file.headers });
  outgoing.end(incoming.method === "HEAD" ? "" : file.body);
}
