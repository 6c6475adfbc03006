// Usage: node use-tool.mjs FRAMEWORK. An agent of the framework gets `code.tool` as it is, writes a script, and prints what came back.
import { codeMode } from "codemode";
import { z } from "zod";
import { makeModel } from "../frameworks/stand-in/model.ts";
import { code as script } from "./stand-in/script.ts";

const order = z.object({ id: z.string(), total: z.number() });
const listOrders = {
  inputSchema: z.object({}),
  outputSchema: z.array(order),
  execute: () => [
    { id: "a", total: 40 },
    { id: "b", total: 2 },
  ],
};
const cancelOrder = { inputSchema: order.pick({ id: true }), execute: ({ id }) => `cancelled ${id}` };
const code = await codeMode({ orders: { listOrders, cancelOrder } });
const model = makeModel(script);
const PROMPT = "Cancel my smallest order.";

const AGENTS = {
  async "ai-sdk"() {
    const { generateText, isStepCount } = await import("ai");
    const { text } = await generateText({
      model,
      prompt: PROMPT,
      tools: { code: code.tool },
      stopWhen: isStepCount(10),
    });
    return text;
  },
  async mastra() {
    const { Agent } = await import("@mastra/core/agent");
    const agent = new Agent({ id: "a", name: "a", instructions: "Help.", model, tools: { code: code.tool } });
    return (await agent.generate(PROMPT)).text;
  },
  async tanstack() {
    const { chat } = await import("@tanstack/ai");
    return chat({
      adapter: standInAdapter(),
      messages: [{ role: "user", content: PROMPT }],
      tools: [code.tool],
      stream: false,
    });
  },
  async langchain() {
    const { AIMessage, createAgent, fakeModel } = await import("langchain");
    const answers = fakeModel()
      .respondWithTools([{ name: code.tool.name, args: { code: script } }])
      .respond((messages) => new AIMessage(messages.at(-1)?.text ?? ""));
    const agent = createAgent({ model: answers, tools: [code.tool] });
    return (await agent.invoke({ messages: [{ role: "user", content: PROMPT }] })).messages.at(-1)?.text;
  },
  async langgraph() {
    const { ToolNode } = await import("@langchain/langgraph/prebuilt");
    const { AIMessage } = await import("langchain");
    const asked = new AIMessage({
      content: "",
      tool_calls: [{ name: code.tool.name, args: { code: script }, id: "1" }],
    });
    const { messages } = await new ToolNode([code.tool]).invoke({ messages: [asked] });
    return messages.at(-1)?.text;
  },
  async "openai-agents"() {
    const { Agent, Runner, tool } = await import("@openai/agents");
    const { assistantMessage, functionCall, modelResponder, ScriptedModel } = await import("@openai/agents/testing");
    const { name } = code.tool;
    const answers = new ScriptedModel([
      [functionCall(name, { code: script }, { callId: "1" })],
      modelResponder(({ request }) => [assistantMessage(JSON.stringify(request.input))]),
    ]);
    const own = tool({ ...code.tool, parameters: { ...code.tool.inputSchema }, strict: false });
    const agent = new Agent({ name: "a", instructions: "Help.", model: answers, tools: [own] });
    return (await new Runner({ tracingDisabled: true }).run(agent, PROMPT)).finalOutput;
  },
  "mcp-sdk-1": async () =>
    askClient(
      (await import("@modelcontextprotocol/sdk/client/index.js")).Client,
      (await import("@modelcontextprotocol/sdk/inMemory.js")).InMemoryTransport,
    ),
  async "mcp-sdk-2"() {
    const { Client, InMemoryTransport } = await import("@modelcontextprotocol/client");
    return askClient(Client, InMemoryTransport);
  },
};

async function askClient(Client, InMemoryTransport) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await code.connectTo(far);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(near);
  const { content } = await client.callTool({ name: "code", arguments: { code: script } });
  await client.close();
  return JSON.stringify(content);
}

/** The protocol of TanStack's models: it calls the tool, and then repeats its answer. */
function standInAdapter() {
  return {
    ...{ kind: "text", name: "stand-in", model: "stand-in", "~types": {} },
    async *chatStream({ messages, tools }) {
      const base = { timestamp: 0, model: "stand-in", runId: "r", threadId: "t" };
      const last = messages.at(-1);
      yield { ...base, type: "RUN_STARTED" };
      if (last.role === "tool") {
        yield { ...base, type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" };
        yield { ...base, type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: JSON.stringify(last.content) };
        yield { ...base, type: "TEXT_MESSAGE_END", messageId: "m" };
        yield { ...base, type: "RUN_FINISHED", finishReason: "stop" };
        return;
      }
      const call = { ...base, toolCallId: "1", toolCallName: tools[0].name, toolName: tools[0].name };
      yield { ...call, type: "TOOL_CALL_START", index: 0 };
      yield { ...call, type: "TOOL_CALL_ARGS", delta: JSON.stringify({ code: script }) };
      yield { ...call, type: "TOOL_CALL_END", input: { code: script } };
      yield { ...base, type: "RUN_FINISHED", finishReason: "tool_calls" };
    },
  };
}

process.stdout.write(String(await AGENTS[process.argv[2]]()));
await code.close();
