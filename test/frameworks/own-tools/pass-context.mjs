// Usage: node pass-context.mjs FRAMEWORK. An agent of the framework gets the request's values in its way; prints what `approve` and its own tool see of them.
import { codeMode } from "codemode";
import { z } from "zod";
import { makeModel } from "../frameworks/stand-in/model.ts";

const seen = [];
const script = `import { refund } from "@codemode/servers/shop"; export default await refund({ id: "o1" });`;
const model = makeModel(script);
const inputSchema = z.object({ id: z.string() });
const userIn = (context) => context?.user ?? context?.get?.("user");
const approve = ({ context }) => seen.push(["approve", userIn(context)]) > 0;

const AGENTS = {
  async "ai-sdk"() {
    const { generateText, isStepCount, tool } = await import("ai");
    const execute = (_input, { experimental_context: context }) => seen.push(["tool", userIn(context)]);
    const refund = tool({ description: "Refunds", inputSchema, needsApproval: true, execute });
    const code = await codeMode({ shop: { refund } }, { approve });
    const toolsContext = { code: { user: "ada" } };
    await generateText({ model, prompt: "Go.", tools: { code: code.tool }, stopWhen: isStepCount(10), toolsContext });
    return code;
  },
  async mastra() {
    const { Agent } = await import("@mastra/core/agent");
    const { createTool } = await import("@mastra/core/tools");
    const { RequestContext } = await import("@mastra/core/request-context");
    const refund = createTool({
      ...{ id: "refund", description: "Refunds", inputSchema, requireApproval: true },
      execute: async (_input, { requestContext }) => void seen.push(["tool", requestContext.get("user")]),
    });
    const code = await codeMode({ shop: { refund } }, { approve });
    const requestContext = new RequestContext();
    requestContext.set("user", "ada");
    const agent = new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { code: code.tool } });
    await agent.generate("Go.", { requestContext });
    return code;
  },
  async langchain() {
    const { AIMessage, createAgent, fakeModel, tool } = await import("langchain");
    const refund = tool((_input, config) => void seen.push(["tool", userIn(config.context)]), {
      ...{ name: "refund", description: "Refunds", schema: inputSchema },
    });
    const code = await codeMode({ shop: { refund } }, { approve, policy: { askEach: ["shop/refund"] } });
    const answers = fakeModel()
      .respondWithTools([{ name: code.tool.name, args: { code: script } }])
      .respond(() => new AIMessage("done"));
    const agent = createAgent({ model: answers, tools: [code.tool], contextSchema: z.object({ user: z.string() }) });
    await agent.invoke({ messages: [{ role: "user", content: "Go." }] }, { context: { user: "ada" } });
    return code;
  },
  async "openai-agents"() {
    const { Agent, Runner, tool } = await import("@openai/agents");
    const { assistantMessage, functionCall, ScriptedModel } = await import("@openai/agents/testing");
    const refund = tool({
      ...{ name: "refund", description: "Refunds", parameters: inputSchema, needsApproval: true },
      execute: (_input, run) => void seen.push(["tool", userIn(run.context)]),
    });
    const code = await codeMode({ shop: { refund } }, { approve });
    const answers = new ScriptedModel([
      [functionCall(code.tool.name, { code: script }, { callId: "1" })],
      [assistantMessage("done")],
    ]);
    const own = tool({ ...code.tool, parameters: { ...code.tool.inputSchema }, strict: false });
    const agent = new Agent({ name: "a", instructions: "Help.", model: answers, tools: [own] });
    await new Runner({ tracingDisabled: true }).run(agent, "Go.", { context: { user: "ada" } });
    return code;
  },
};

const code = await AGENTS[process.argv[2]]();
await code.close();
process.stdout.write(JSON.stringify(seen));
