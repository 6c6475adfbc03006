// LangChain: an agent with codemode as one tool.
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
import { openProject } from "codemode";
import { code } from "./stand-in/script.ts";

const project = await openProject();
await using engine = await project.openEngine();
const { name, description, inputSchema, call } = engine.describeTool();

// In place of your own model (`"openai:…"`): it writes a script, and then repeats the answer of the tool.
const model = fakeModel()
  .respondWithTools([{ name, args: { code } }])
  .respond((messages) => new AIMessage(messages.at(-1)?.text ?? ""));

const agent = createAgent({
  model,
  tools: [tool((args, { signal }) => call(args, { signal }), { name, description, schema: inputSchema })],
});
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "What is the sum of 40 and 2?" }] });
console.log(messages.at(-1)?.text);
