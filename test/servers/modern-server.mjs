// A server of the modern era (MCP 2026-07-28) over stdio, made with the SDK; by default also of older eras.

import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const habits = new Set(process.argv.slice(2));
appendFileSync(process.env.PID_FILE, `${process.pid}\n`);
// sleeps: a server that starts more slowly than a client of a second waits
if (habits.has("slow-start")) await new Promise((resolve) => setTimeout(resolve, 1_700));

const makeServer = () => {
  const server = new McpServer({ name: "modern", version: "1" }, { instructions: "be modern" });
  server.registerTool("hello", { description: "Says hello" }, () => ({ content: [{ type: "text", text: "hello" }] }));
  server.registerTool("grow", { description: "Adds a tool" }, () => {
    server.registerTool("grown", {}, () => ({ content: [] }));
    return { content: [] };
  });
  return server;
};

serveStdio(makeServer, { legacy: habits.has("modern-only") ? "reject" : "serve" });
