// Mastra: an agent with codemode as one tool.
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { openProject } from "codemode";
import { model } from "./stand-in/model.ts"; // Your own, for instance the name of one: "openai/…".

const project = await openProject();
await using engine = await project.openEngine();
const { name, description, inputSchema, call } = engine.describeTool();

const agent = new Agent({
  id: "adder",
  name: "adder",
  instructions: "You add numbers.",
  model: model as MastraModelConfig, // The stand-in's types are of a later version of the AI SDK.
  tools: {
    [name]: createTool({
      id: name,
      description,
      inputSchema,
      execute: (args, { abortSignal }) => call(args, { signal: abortSignal }),
    }),
  },
});
const { text } = await agent.generate("What is the sum of 40 and 2?");
console.log(text);
