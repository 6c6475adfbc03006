// An MCP server over HTTP with one tool, which answers in plain JSON: for tests that are about who calls, not about the server.
import { createServer } from "node:http";

const ECHO = {
  name: "echo",
  inputSchema: {
    type: "object",
    required: ["message"],
    properties: { message: { type: "string", maxLength: 100_000 } },
  },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1.0.0" } },
  }),
  "tools/list": () => ({ tools: [ECHO] }),
  "tools/call": ({ arguments: { message } }) => ({ content: [{ type: "text", text: message }] }),
};

/** Starts it on a free port of this machine. */
export async function startEchoHttp() {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { id, method, params } = text === "" ? {} : JSON.parse(text);
    const result = answers[method]?.(params ?? {});
    if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
    const outcome = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
