import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../../schemas/json/json.ts";
import type { UiProblem } from "../../../../schemas/ui-messages.ts";
import { CodemodeError } from "../../../../schemas/codemode-error.ts";
import { readJsonBody } from "../../../../serve/http/json-rpc.ts";
import { sendResponse } from "../../../../serve/http/http-listener.ts";
import { RouteProblem } from "../route-problem.ts";
import { ANSWERING_ROUTES, TELLING_ROUTES, type TellingRoute, toRouteRequest } from "../routes.ts";
import type { UiProject } from "../ui-project.ts";
import { SECURITY_HEADERS } from "./guard.ts";

/** Answers a request to the API that the guard has let through: JSON, or one line of JSON for each event. */
export async function answerCall(
  name: string,
  project: UiProject,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { body, refusal } = await readJsonBody(incoming);
  if (refusal !== undefined) return sendResponse(refusal, outgoing);
  try {
    const request = toRouteRequest(body);
    const telling = TELLING_ROUTES.get(name);
    if (telling !== undefined) return await tellEvents(telling, project, request, outgoing);
    const answering = ANSWERING_ROUTES.get(name);
    if (answering === undefined) throw new RouteProblem(404, "There is nothing here.");
    sendJson(outgoing, 200, await answering(project, request));
  } catch (error) {
    const { status, message, hint } = toProblem(error);
    const problem: UiProblem = { error: { message, ...withoutUndefined({ hint }) } };
    sendJson(outgoing, status, problem);
  }
}

/** Sends a value as JSON. */
export function sendJson(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { ...SECURITY_HEADERS, "content-type": "application/json" });
  outgoing.end(JSON.stringify(value));
}

/** A client that disconnects or stops the run ends it. */
async function tellEvents(
  route: TellingRoute,
  project: UiProject,
  request: JsonObject,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  let hasBegun = false;
  await route(
    project,
    request,
    (event) => {
      if (!hasBegun) outgoing.writeHead(200, { ...SECURITY_HEADERS, "content-type": "application/x-ndjson" });
      hasBegun = true;
      outgoing.write(`${JSON.stringify(event)}\n`);
    },
    gone.signal,
  );
  outgoing.end();
}

function toProblem(error: unknown): { status: number; message: string; hint?: string | undefined } {
  if (error instanceof RouteProblem) return error;
  if (error instanceof CodemodeError) return { status: 422, message: error.message, hint: error.hint };
  return { status: 500, message: error instanceof Error ? error.message : String(error) };
}
