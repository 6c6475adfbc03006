// OpenAI Agents SDK: an agent with codemode as one tool.
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing";
import { openProject } from "codemode";
import { code } from "./stand-in/script.ts";

const project = await openProject();
await using engine = await project.openEngine();
const { name, description, inputSchema, call } = engine.describeTool();

const codemode = tool({
  ...{ name, description, strict: false },
  parameters: inputSchema,
  execute: (args: unknown, _context, details) => call(args, { signal: details?.signal }),
});
// In place of your own model (`"gpt-…"`): it writes a script, and then repeats the answer of the tool.
const model = new ScriptedModel([
  [functionCall(name, { code }, { callId: "1" })],
  modelResponder(({ request }) => [assistantMessage(JSON.stringify(request.input))]),
]);

const agent = new Agent({ name: "adder", instructions: "You add numbers.", model, tools: [codemode] });
const runner = new Runner({ tracingDisabled: true });
const { finalOutput } = await runner.run(agent, "What is the sum of 40 and 2?");
console.log(finalOutput);
