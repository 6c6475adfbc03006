import { join } from "node:path";
import type { Client } from "./client.ts";

/** A library for agents. Its program is in `libraries/`, and runs beside the installed packages. */
function library(id: string, title: string, packages: Client["packages"], more: Partial<Client> = {}): Client {
  return {
    id,
    title,
    kind: "library",
    packages,
    environment: () => ({ OPENAI_API_KEY: "none" }),
    command: ({ installed }, prompt) => ["node", join(installed, `${id}.mjs`), prompt],
    ...more,
  };
}

export const LIBRARIES: readonly Client[] = [
  library("ai-sdk", "AI SDK", ["ai", "@ai-sdk/mcp", "@ai-sdk/openai", "node"], {
    note: "With a chat model, an answer is a list of blocks in JSON, so its quotes are escaped and a picture is Base64 in it.",
  }),
  library("langchain", "LangChain", [
    "@langchain/mcp-adapters",
    "@langchain/langgraph",
    "@langchain/openai",
    "@langchain/core",
    "node",
  ]),
  library("openai-agents", "OpenAI Agents SDK", ["@openai/agents"]),
  library("mastra", "Mastra", ["@mastra/mcp", "@mastra/core", "@ai-sdk/openai", "node"], {
    note: "Its model reads structured content only, so a picture is left out.",
  }),
  library("claude-agent-sdk", "Claude Agent SDK", ["@anthropic-ai/claude-agent-sdk"], {
    declinesForms: true,
    environment: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  }),
];
