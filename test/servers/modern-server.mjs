// A server of the modern era (MCP 2026-07-28) over stdio, made with the SDK.

import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

appendFileSync(process.env.PID_FILE, `${process.pid}\n`);

serveStdio(() => {
  const server = new McpServer({ name: "modern", version: "1" }, { instructions: "be modern" });
  server.registerTool("hello", { description: "Says hello" }, () => ({ content: [{ type: "text", text: "hello" }] }));
  return server;
});
