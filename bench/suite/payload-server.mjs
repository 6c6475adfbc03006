// An MCP server whose tool `rows` answers with `structuredContent` of about so many bytes, made beforehand for each size. `printed_rows`
// declares no output schema, and answers with the same as JSON in a text.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { makeRows } from "./make-rows.js";

const made = new Map();
const server = new McpServer({ name: "payload", version: "1.0.0" });
const outputSchema = { rows: z.array(z.object({ id: z.number(), name: z.string(), tags: z.array(z.string()) })) };
server.registerTool("rows", { inputSchema: { bytes: z.number() }, outputSchema }, ({ bytes }) => {
  if (!made.has(bytes)) made.set(bytes, { rows: makeRows(bytes) });
  return { content: [], structuredContent: made.get(bytes) };
});
server.registerTool("printed_rows", { inputSchema: { bytes: z.number() } }, ({ bytes }) => {
  const key = `printed ${bytes}`;
  if (!made.has(key)) made.set(key, JSON.stringify(makeRows(bytes)));
  return { content: [{ type: "text", text: made.get(key) }] };
});
await server.connect(new StdioServerTransport());
