// LangChain with its MCP adapters and an agent of LangGraph.
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";

const server = JSON.parse(process.env.CODEMODE_SERVER);
const codemode =
  server.url === undefined
    ? { transport: "stdio", ...server, env: process.env }
    : { transport: "http", url: server.url, headers: server.headers };
const client = new MultiServerMCPClient({ mcpServers: { codemode } });
const llm = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  configuration: { baseURL: `${process.env.MODEL_URL}/v1` },
});
const agent = createReactAgent({ llm, tools: await client.getTools() });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: process.argv[2] }] });
console.log(messages.at(-1).content);
await client.close();
