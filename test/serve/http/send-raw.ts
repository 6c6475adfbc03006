import { request } from "node:http";

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request as it stands, headers included that `fetch` would not send. */
export function sendRaw(origin: string, { method = "GET", path = "/mcp", headers, body }: RawRequest) {
  return new Promise<RawResponse>((resolve, reject) => {
    const outgoing = request(origin + path, { method, headers: headers ?? {}, agent: false }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.once("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      incoming.once("error", reject);
    });
    outgoing.once("error", reject).end(body);
  });
}

const POST_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Posts a message of the legacy era. */
export function postMessage(origin: string, message: unknown, headers: Record<string, string> = {}) {
  return sendRaw(origin, { method: "POST", headers: { ...POST_HEADERS, ...headers }, body: JSON.stringify(message) });
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

export const LIST_TOOLS = { jsonrpc: "2.0", id: 2, method: "tools/list" };
