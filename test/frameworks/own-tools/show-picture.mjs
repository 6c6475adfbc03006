// Usage: node show-picture.mjs FRAMEWORK. A script returns a picture; prints what the model of an agent of the framework gets of it.
import { codeMode } from "codemode";
import { makeModel } from "../frameworks/stand-in/model.ts";

const data = Buffer.alloc(60_000, 7).toString("base64");
const picture = { execute: () => ({ type: "image", mimeType: "image/png", data }) };
const code = await codeMode({ camera: { picture } });
const script = `import { picture } from "@codemode/servers/camera"; export default await picture();`;
const model = makeModel(script);
const PROMPT = "Show it.";

const AGENTS = {
  async "ai-sdk"() {
    const { generateText, isStepCount } = await import("ai");
    return (await generateText({ model, prompt: PROMPT, tools: { code: code.tool }, stopWhen: isStepCount(10) })).text;
  },
  async mastra() {
    const { Agent } = await import("@mastra/core/agent");
    const agent = new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { code: code.tool } });
    return (await agent.generate(PROMPT)).text;
  },
  async langchain() {
    const { AIMessage, createAgent, fakeModel, tool } = await import("langchain");
    const { name, description, schema } = code.tool;
    const answers = fakeModel()
      .respondWithTools([{ name, args: { code: script } }])
      .respond((messages) => new AIMessage(JSON.stringify(messages.at(-1)?.content)));
    const own = tool((args, config) => code.tool.content(args, config), { name, description, schema });
    const agent = createAgent({ model: answers, tools: [own] });
    return (await agent.invoke({ messages: [{ role: "user", content: PROMPT }] })).messages.at(-1)?.text;
  },
  async "openai-agents"() {
    const { Agent, Runner, tool } = await import("@openai/agents");
    const { assistantMessage, functionCall, modelResponder, ScriptedModel } = await import("@openai/agents/testing");
    const { name } = code.tool;
    const answers = new ScriptedModel([
      [functionCall(name, { code: script }, { callId: "1" })],
      modelResponder(({ request }) => [assistantMessage(JSON.stringify(request.input))]),
    ]);
    const own = tool({
      ...code.tool,
      parameters: { ...code.tool.inputSchema },
      strict: false,
      ...{ outputSchema: undefined, execute: code.tool.content },
    });
    const agent = new Agent({ name: "a", instructions: "Help.", model: answers, tools: [own] });
    return (await new Runner({ tracingDisabled: true }).run(agent, PROMPT)).finalOutput;
  },
};

const seen = String(await AGENTS[process.argv[2]]());
await code.close();
process.stdout.write(seen.replaceAll(data, "WHOLE PICTURE"));
