// The same over HTTP: each session has a user, and the tools of the server learn who asks.
import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { codeMode } from "codemode";
import express, { type NextFunction, type Request, type Response } from "express";

const code = await codeMode({ shop: makeServer });
const sessions = new Map<string, StreamableHTTPServerTransport>();
const app = express();

app.all("/mcp", authenticate, async (request, response) => {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  const transport = known ?? (await openSession());
  await transport.handleRequest(request, response);
});

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  // `authInfo` of the request reaches the handlers of the server as it is.
  await code.connectTo(transport, { context: ({ authInfo }) => ({ authInfo }) });
  return transport;
}

function makeServer(): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  server.registerTool("who-am-i", { description: "Says who asks" }, ({ authInfo }) => ({
    content: [{ type: "text", text: authInfo?.clientId ?? "a stranger" }],
  }));
  return server;
}

/** Yours: what checks the token of a request. */
function authenticate(request: Request, response: Response, next: NextFunction): void {
  const token = request.headers.authorization?.replace(/^Bearer /, "");
  if (token === undefined) return void response.status(401).end();
  Object.assign(request, { auth: { token, clientId: `user of ${token}`, scopes: [] } });
  next();
}

const listener = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  console.log("port", Object(listener.address()).port);
});
process.once("SIGTERM", () => listener.close(() => void code.close()));
