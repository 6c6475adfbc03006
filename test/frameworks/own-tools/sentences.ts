// What README and docs/own-tools.md say of each framework, as it stands there: this file is compiled, and not run.
import { Agent } from "@mastra/core/agent";
import { tool as openAiTool } from "@openai/agents";
import { chat } from "@tanstack/ai";
import { type Tool, type ToolSet, generateText } from "ai";
import { codeMode } from "codemode";
import { createAgent, tool as langChainTool } from "langchain";
import { makeModel } from "../frameworks/stand-in/model.ts";

const code = await codeMode({ clock: { now: { execute: () => Date.now() } } });
const model = makeModel("");

export const aiSdk: ToolSet = { code: code.tool };
export const one: Tool = code.tool;
export const text = generateText({ model, prompt: "", tools: { code: code.tool } });
export const mastra = new Agent({
  id: "a",
  name: "a",
  instructions: "",
  model: "openai/any",
  tools: { code: { ...code.tool, id: "code" } },
});
export const langChain = createAgent({ model: "openai:any", tools: [code.tool] });
export const { name, description, schema } = code.tool;
export const withPictures = langChainTool((args, config) => code.tool.content(args, config), {
  name,
  description,
  schema,
});
export const openAi = openAiTool({
  name,
  description,
  parameters: { ...code.tool.inputSchema },
  strict: false,
  execute: code.tool.content,
});
export const tanStack = (adapter: Parameters<typeof chat>[0]["adapter"]) =>
  chat({ adapter, messages: [], tools: [code.tool] });
