// A stdio server whose one tool gives back what it is given, for scripts that must not see each other's.
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new Server({ name: "nonce", version: "1" }, { capabilities: { tools: {} } });
  const inputSchema = { type: "object", properties: { nonce: { type: "string" } }, required: ["nonce"] };
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "repeat", description: "Gives back the nonce.", inputSchema }],
  }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: params.arguments.nonce }],
  }));
  return server;
});
