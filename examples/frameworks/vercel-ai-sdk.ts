// Vercel AI SDK: its agent loop calls codemode as one tool.
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { openProject } from "codemode";
import { model } from "./stand-in/model.ts"; // Your own: `openai("…")`, `anthropic("…")`.

const project = await openProject();
await using engine = await project.openEngine();
const { name, description, inputSchema, call } = engine.describeTool();

const { text } = await generateText({
  model,
  prompt: "What is the sum of 40 and 2?",
  tools: {
    [name]: tool({
      description,
      inputSchema: jsonSchema(inputSchema),
      execute: (args, { abortSignal }) => call(args, { signal: abortSignal }),
    }),
  },
  stopWhen: isStepCount(10),
});
console.log(text);
