// An agent of Mastra with its MCP client.
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";

const server = JSON.parse(process.env.CODEMODE_SERVER);
const codemode =
  server.url === undefined
    ? { ...server, env: process.env }
    : { url: new URL(server.url), requestInit: { headers: server.headers } };
const client = new MCPClient({ servers: { codemode }, timeout: 300_000 });
const model = createOpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" }).chat("scripted");
const tools = await client.listTools();
const agent = new Agent({ id: "trial", name: "trial", instructions: "Follow scripts.", model, tools });
const { text } = await agent.generate(process.argv[2], { maxSteps: 6 });
console.log(text);
await client.disconnect();
process.exit(0);
