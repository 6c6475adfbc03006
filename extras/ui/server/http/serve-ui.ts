import type { IncomingMessage, ServerResponse } from "node:http";
import { closeListener, listen, makeHttpServer } from "../../../../serve/http/http-listener.ts";
import type { Doorway } from "../project-door.ts";
import type { UiProject } from "../ui-project.ts";
import { type Guard, makeGuard, SECURITY_HEADERS, pagePolicy } from "./guard.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { FirstStartView, RunDraft, DraftEvent, UiProblem } from "../../messages/ui-messages.ts";
import { CodemodeError } from "../../../../schemas/codemode-error.ts";
import { readJsonBody } from "../../../../serve/http/json-rpc.ts";
import { sendResponse } from "../../../../serve/http/http-listener.ts";
import { RouteProblem } from "../route-problem.ts";
import { readRunDraft, ROUTES, toRouteRequest } from "../routes.ts";
import { runDraft } from "../routes/run-draft.ts";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

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
 * @param enter gives the project, or why there is none yet; no request asks for it before it is let through
 * @param options.port 0 for any free one
 * @param options.onFailure receives internal errors
 */
export async function serveUi(
  enter: () => Promise<Doorway>,
  { port, onFailure }: { port: number; onFailure: (error: unknown) => void },
): Promise<ServedUi> {
  const files = readPageFiles();
  const server = makeHttpServer();
  const origin = await listen(server, { host: ADDRESS, port }, "--port PORT");
  const guard = makeGuard(new URL(origin).port);
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    void answerRequest({ guard, files, enter }, incoming, outgoing).catch((error: unknown) => {
      onFailure(error);
      outgoing.destroy();
    });
  });
  return {
    url: new URL(`${origin}/#${guard.token}`),
    close: () => closeListener(server),
  };
}

async function answerRequest(
  { guard, files, enter }: { guard: Guard; files: PageFiles; enter: () => Promise<Doorway> },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const path = (incoming.url ?? "").split("?", 1)[0] ?? "";
  const isCall = path.startsWith(API_PREFIX);
  const refusal = isCall ? guard.refuseCall(incoming) : guard.refuseFile(incoming);
  if (refusal !== undefined) return sendJson(outgoing, refusal.status, { error: { message: refusal.message } });
  if (isCall) return answerCall(path.slice(API_PREFIX.length), await enter(), incoming, outgoing);
  const file = files(path);
  if (file === undefined) return sendJson(outgoing, 404, { error: { message: "There is nothing here." } });
  outgoing.writeHead(200, { ...SECURITY_HEADERS, ...file.headers });
  outgoing.end(incoming.method === "HEAD" ? "" : file.body);
}

/** Answers a request to the API that the guard has let through: JSON, or one line of JSON for each event. */
async function answerCall(
  name: string,
  doorway: Doorway,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { body, refusal } = await readJsonBody(incoming);
  if (refusal !== undefined) return sendResponse(refusal, outgoing);
  try {
    const request = toRouteRequest(body);
    if ("firstStart" in doorway) return sendFirstStart(name, doorway.firstStart, outgoing);
    const { project } = doorway;
    if (name === "run") return await tellEvents(project, readRunDraft(request), outgoing);
    const route = ROUTES.get(name);
    if (route === undefined) throw new RouteProblem(404, "There is nothing here.");
    sendJson(outgoing, 200, await route(project, request));
  } catch (error) {
    const { status, message, hint } = toProblem(error);
    const problem: UiProblem = { error: { message, ...withoutUndefined({ hint }) } };
    sendJson(outgoing, status, problem);
  }
}

/** Without a server there is one thing to ask for: what the page shows in its place. */
function sendFirstStart(name: string, firstStart: FirstStartView, outgoing: ServerResponse): void {
  if (name !== "project") throw new RouteProblem(409, "There is no server in this project yet.");
  sendJson(outgoing, 200, { firstStart });
}

/** Sends a value as JSON. */
function sendJson(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { ...SECURITY_HEADERS, "content-type": "application/json" });
  outgoing.end(JSON.stringify(value));
}

/** A client that disconnects or stops the run ends it. */
async function tellEvents(project: UiProject, draft: RunDraft, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  let hasBegun = false;
  const tell = (event: DraftEvent): void => {
    if (!hasBegun) outgoing.writeHead(200, { ...SECURITY_HEADERS, "content-type": "application/x-ndjson" });
    hasBegun = true;
    outgoing.write(`${JSON.stringify(event)}\n`);
  };
  await runDraft(project, draft, tell, gone.signal);
  outgoing.end();
}

function toProblem(error: unknown): { status: number; message: string; hint?: string | undefined } {
  if (error instanceof RouteProblem) return error;
  if (error instanceof CodemodeError) return { status: 422, message: error.message, hint: error.hint };
  return { status: 500, message: error instanceof Error ? error.message : String(error) };
}

/** Gives a file of the page as it is sent, by its path; undefined where there is none. */
type PageFiles = (path: string) => { headers: Record<string, string>; body: string } | undefined;

const FILES: ReadonlyMap<string, { name: string; type: string }> = new Map([
  ["/", { name: "index.html", type: "text/html; charset=utf-8" }],
  ["/page.js", { name: "page.js", type: "text/javascript; charset=utf-8" }],
  ["/page.css", { name: "page.css", type: "text/css; charset=utf-8" }],
  ["/icon.svg", { name: "icon.svg", type: "image/svg+xml" }],
]);

/** Where the build puts them (`scripts/build-ui.js`), seen from the compiled files; the sources lie elsewhere. */
const COMPILED = new URL("../../../../ui-page/", import.meta.url);
const BESIDE_SOURCES = new URL("../../../../dist/ui-page/", import.meta.url);

/** Reads the files of the page once. */
function readPageFiles(): PageFiles {
  const folder = existsSync(COMPILED) ? COMPILED : BESIDE_SOURCES;
  const files = new Map(
    [...FILES].map(([path, { name, type }]) => [path, { type, body: readFileSync(new URL(name, folder), "utf8") }]),
  );
  return (path) => {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const headers = { "content-type": file.type };
    if (path !== "/") return { headers, body: file.body };
    const nonce = randomBytes(16).toString("base64");
    return {
      headers: { ...headers, "content-security-policy": pagePolicy(nonce) },
      body: file.body.replace("NONCE", nonce),
    };
  };
}
