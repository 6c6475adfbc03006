// The AI SDK with its own MCP client and OpenAI's provider.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount } from "ai";

const server = JSON.parse(process.env.CODEMODE_SERVER);
const transport =
  server.url === undefined
    ? new Experimental_StdioMCPTransport({ ...server, env: process.env })
    : { type: "http", url: server.url, headers: server.headers };
const client = await createMCPClient({ transport });
const model = createOpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" }).chat("scripted");
const { text } = await generateText({
  model,
  tools: await client.tools(),
  prompt: process.argv[2],
  stopWhen: isStepCount(6),
});
console.log(text);
await client.close();
