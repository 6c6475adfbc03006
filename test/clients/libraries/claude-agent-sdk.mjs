// The Claude Agent SDK, which starts Claude Code.
import { query } from "@anthropic-ai/claude-agent-sdk";

const server = JSON.parse(process.env.CODEMODE_SERVER);
const codemode = server.url === undefined ? { type: "stdio", ...server } : { type: "http", ...server };
const options = {
  mcpServers: { codemode },
  allowedTools: ["mcp__codemode__codemode_run"],
  cwd: process.env.CODEMODE_PROJECT,
};
for await (const message of query({ prompt: process.argv[2], options })) {
  if (message.type === "result") console.log(message.result);
}
