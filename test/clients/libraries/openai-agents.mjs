// The OpenAI Agents SDK with its own MCP servers.
import {
  Agent,
  MCPServerStdio,
  MCPServerStreamableHttp,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
} from "@openai/agents";

setTracingDisabled(true);
const server = JSON.parse(process.env.CODEMODE_SERVER);
const codemode =
  server.url === undefined
    ? new MCPServerStdio({
        name: "codemode",
        ...server,
        env: process.env,
        clientSessionTimeoutSeconds: 300,
        timeout: 300_000,
      })
    : new MCPServerStreamableHttp({ name: "codemode", url: server.url, requestInit: { headers: server.headers } });
await codemode.connect();
const agent = new Agent({ name: "trial", instructions: "Follow scripts.", mcpServers: [codemode], model: "scripted" });
const modelProvider = new OpenAIProvider({
  baseURL: `${process.env.MODEL_URL}/v1`,
  apiKey: "none",
  useResponses: true,
});
const { finalOutput } = await new Runner({ modelProvider }).run(agent, process.argv[2]);
console.log(finalOutput);
await codemode.close();
