import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ANTHROPIC } from "./anthropic.ts";
import { CHAT_COMPLETIONS } from "./chat-completions.ts";
import { decide, type Step } from "./decide.ts";
import { GEMINI } from "./gemini.ts";
import type { Body, ModelApi, ModelRequest, StreamEvent, Turn } from "./model-api.ts";
import { RESPONSES } from "./responses.ts";

const APIS: readonly ModelApi[] = [ANTHROPIC, CHAT_COMPLETIONS, RESPONSES, GEMINI];

/** A request that reached the model, and what became of it. */
export interface SeenRequest extends ModelRequest {
  api: string;
  /** The name of a tool for which the real API would refuse the request. */
  refusedName?: string;
  turn?: Turn;
}

/** A model on this machine that follows scripts. */
export interface ScriptedModel {
  /** Without a path. */
  url: string;
  /** Requests since the last call, oldest first. */
  takeRequests(): SeenRequest[];
  close(): Promise<void>;
}

/**
 * Starts the model on a free port of the loopback interface. It speaks four APIs, and refuses names of tools as they do.
 * @param think what the model waits for before it says something
 */
export async function startModel(
  scripts: ReadonlyMap<string, readonly Step[]>,
  think: (request: ModelRequest, turn: Turn) => Promise<void> = async () => undefined,
): Promise<ScriptedModel> {
  let seen: SeenRequest[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    answer(request, response, String(count)).catch((error: unknown) => {
      reply(response, 400, { error: { message: String(error) } });
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const body = await readBody(request);
    const api = APIS.find((candidate) => candidate.matches(path));
    if (api === undefined) return replyToOther(path, response);
    const read = api.read(body);
    const refusedName = read.tools.find(({ name }) => !api.toolName.test(name))?.name;
    if (refusedName !== undefined) {
      seen.push({ ...read, api: api.id, refusedName });
      const message = `Invalid tool name "${refusedName}": it does not match ${api.toolName.source}`;
      return reply(response, 400, { type: "error", error: { type: "invalid_request_error", message } });
    }
    const turn = decide(read, scripts);
    await think(read, turn);
    seen.push({ ...read, api: api.id, turn });
    const facts = { id, model: String(body["model"] ?? "scripted") };
    if (!api.isStreamed(path, body)) return reply(response, 200, api.print(turn, facts));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(api.printStream(turn, facts).map(printEvent).join(""));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    takeRequests() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Body);
}

/** What clients ask for beside the conversation: the length of a prompt, and the models that there are. */
function replyToOther(path: string, response: ServerResponse): void {
  if (path.endsWith("/count_tokens")) return reply(response, 200, { input_tokens: 1000 });
  if (path.endsWith(":countTokens")) return reply(response, 200, { totalTokens: 1000 });
  if (path.endsWith("/models")) {
    const model = {
      id: "scripted",
      type: "model",
      object: "model",
      display_name: "Scripted",
      created: 1,
      owned_by: "us",
    };
    return reply(response, 200, { object: "list", data: [model], has_more: false, models: [] });
  }
  return reply(response, 404, { error: { message: `There is nothing at ${path}.` } });
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function printEvent({ name, data }: StreamEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}
