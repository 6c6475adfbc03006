// A server of both eras over HTTP, made with the SDK as its documentation says.

import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";

/** Starts it on a free port of this machine. */
export async function startSdkHttpServer() {
  const names = ["hello"];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "sdk", version: "1" });
    for (const name of names) {
      server.registerTool(name, { description: `Says ${name}` }, () => ({ content: [{ type: "text", text: name }] }));
    }
    return server;
  });
  const listener = toNodeHandler(handler);
  const server = createServer((request, response) => void listener(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    addTool(name) {
      names.push(name);
      handler.notify.toolsChanged();
    },
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
