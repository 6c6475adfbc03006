// An MCP server of yours, with one tool that runs code in the place of its own: `node mcp-server.ts` is the command of an agent's entry.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { codeMode } from "codemode";
import { z } from "zod";

const code = await codeMode({ shop: makeServer });
await code.connectTo(new StdioServerTransport());
process.stdin.on("end", () => void code.close());

function makeServer(): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  server.registerTool(
    "find-price",
    {
      description: "Finds the price of an article",
      inputSchema: z.object({ article: z.string() }),
      outputSchema: z.object({ price: z.number() }),
    },
    ({ article }) => ({ content: [], structuredContent: { price: article.length } }),
  );
  return server;
}
