import { inputRequired, inputResponse, Server } from "@modelcontextprotocol/server";
import type { Access } from "../../../schemas/access/access.ts";

/** What the servers of a test have been through. */
export interface Diary {
  made: number;
  started: number;
  cancelled: number;
  closed: number;
}

export function makeDiary(): Diary {
  return { made: 0, started: 0, cancelled: 0, closed: 0 };
}

const TOOLS = ["whoami", "count", "wait", "sleep", "ask", "headers"];
const FORM = { message: "Go on?", requestedSchema: { type: "object" as const, properties: {} } };

/** A server whose tools show what the HTTP side does to requests: no part of it is codemode's. */
export function makeStandIn(access: Access, diary: Diary): Server {
  diary.made += 1;
  let count = 0;
  const server = new Server({ name: "stand-in", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.onclose = () => void (diary.closed += 1);
  server.setRequestHandler("tools/list", () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq, http }) => {
    diary.started += 1;
    if (params.name === "whoami") return say(access.client ?? "anonymous");
    if (params.name === "headers") return say(JSON.stringify([...(http?.req?.headers ?? [])]));
    if (params.name === "count") return say(String((count += 1)));
    if (params.name === "sleep") return say(await sleep(Number(params.arguments?.["ms"])));
    if (params.name === "ask") {
      if (mcpReq.envelope === undefined) {
        // On the stream of its request, as codemode asks.
        return say((await mcpReq.elicitInput(FORM, { relatedRequestId: mcpReq.id })).action);
      }
      const answer = inputResponse(mcpReq.inputResponses, "go");
      if (answer.kind === "elicit") return say(answer.action);
      return inputRequired({ inputRequests: { go: inputRequired.elicit(FORM) } });
    }
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve(), { once: true }));
    diary.cancelled += 1;
    return say("cancelled");
  });
  return server;
}

function say(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

async function sleep(ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return `slept ${ms}`;
}
