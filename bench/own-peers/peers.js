import { z } from "zod";
import { openCodemode } from "../contenders/probe-codemode.js";

/**
 * Each opens itself over the functions of a program.
 * `hasNoSandbox` of what runs code on its own platform alone: the rest of it is here.
 * @returns `call(name, args)`, the text of a call in a script, and `run(body, { user })`, which resolves to what the body returns and rejects with
 * what a model gets to read
 */
export const PEERS = [
  { name: "codemode, compartment", open: openCodemode },
  { name: "AI SDK", package: "@ai-sdk/code-mode", open: openAiSdk },
  { name: "Mastra", package: "@mastra/core", open: openMastra },
  { name: "TanStack AI", package: "@tanstack/ai-code-mode", open: openTanStack },
  { name: "LangChain", package: "@langchain/quickjs", open: openLangChain },
  // Its native code is built for the Node that installs it.
  { name: "UTCP", package: "@utcp/code-mode", open: openUtcp, nodeFlags: ["--no-node-snapshot"], isOnThisNode: true },
  { name: "Cloudflare", package: "@cloudflare/codemode", open: openCloudflare, hasNoSandbox: true },
];

const SCHEMAS = {
  getUser: {
    inputSchema: z.object({ id: z.string() }),
    outputSchema: z.object({ id: z.string(), name: z.string(), context: z.any(), store: z.any() }),
  },
  echo: { inputSchema: z.object({ message: z.string() }), outputSchema: z.object({ message: z.string() }) },
  createTodo: { inputSchema: z.object({ title: z.string() }), outputSchema: z.object({ title: z.string() }) },
};
const each = (make) => Object.fromEntries(Object.keys(SCHEMAS).map((name) => [name, make(name)]));
const external = (name, args) => `external_${name}(${args})`;

/** What `{ success, result, error }` of Mastra and TanStack says. */
function unwrap({ success, result, error }) {
  if (!success) throw new Error(error?.message);
  return result;
}

async function openAiSdk(work, { timeoutMs }) {
  const { tool } = await import("ai");
  const { experimental_createCodeModeTool: createCodeModeTool, experimental_setMaxWorkers: setMaxWorkers } =
    await import("@ai-sdk/code-mode");
  setMaxWorkers(20);
  const tools = each((name) =>
    tool({
      ...{ description: name, ...SCHEMAS[name], ...(name === "createTodo" && { needsApproval: true }) },
      execute: (input, options) => work[name](input, options.experimental_context?.user),
    }),
  );
  const code = createCodeModeTool(tools, { executionPolicy: { timeoutMs } });
  return {
    call: (name, args) => `tools.${name}(${args})`,
    run: (js, context) => code.execute({ js }, { toolCallId: "1", messages: [], experimental_context: context }),
  };
}

async function openMastra(work, { timeoutMs }) {
  const { createCodeMode, createTool } = await import("@mastra/core/tools");
  const { LocalSandbox } = await import("@mastra/core/workspace");
  const { RequestContext } = await import("@mastra/core/request-context");
  const tools = each((name) =>
    createTool({
      ...{ id: name, description: name, ...SCHEMAS[name], requireApproval: name === "createTodo" },
      execute: async (input, call) => work[name](input, call?.requestContext?.get("user")),
    }),
  );
  const { tool } = createCodeMode({ tools, sandbox: new LocalSandbox(), timeout: timeoutMs });
  const observe = { span: async (_name, inner) => inner(), log: () => {} };
  return {
    call: external,
    run: async (code, { user }) =>
      unwrap(await tool.execute({ code }, { observe, requestContext: new RequestContext([["user", user]]) })),
  };
}

async function openTanStack(work, { timeoutMs }) {
  const { toolDefinition } = await import("@tanstack/ai");
  const { createCodeMode } = await import("@tanstack/ai-code-mode");
  const { createQuickJSIsolateDriver } = await import("@tanstack/ai-isolate-quickjs");
  const tools = Object.values(
    each((name) =>
      toolDefinition({ name, description: name, ...SCHEMAS[name], needsApproval: name === "createTodo" }).server(
        (input, call) => work[name](input, call?.context?.user),
      ),
    ),
  );
  const { tool } = createCodeMode({ driver: createQuickJSIsolateDriver(), tools, timeout: timeoutMs });
  console.error = () => {};
  return {
    call: external,
    run: async (typescriptCode, context) => unwrap(await tool.execute({ typescriptCode }, { context })),
  };
}

async function openLangChain(work, { timeoutMs }) {
  const { tool } = await import("langchain");
  const { ReplSession } = await import("@langchain/quickjs");
  const tools = Object.values(
    each((name) =>
      tool(async (input, call) => work[name](input, call?.context?.user), {
        ...{ name, description: name, schema: SCHEMAS[name].inputSchema },
      }),
    ),
  );
  let sessions = 0;
  return {
    call: (name, args) => `tools.${name}(${args}).then((text) => JSON.parse(text))`,
    async run(body, context) {
      sessions += 1;
      const session = ReplSession.getOrCreate(`s${sessions}`, { tools, context });
      const { ok, value, error } = await session.eval(`(async () => { ${body} })()`, timeoutMs);
      if (!ok) throw new Error(error?.message ?? String(error));
      return value;
    },
  };
}

async function openUtcp(work, { timeoutMs }) {
  const { CodeModeUtcpClient } = await import("@utcp/code-mode");
  const { CallTemplateSerializer, CommunicationProtocol, Serializer } = await import("@utcp/sdk");
  class AsItIs extends Serializer {
    toDict = (template) => template;
    validateDict = (template) => template;
  }
  class Own extends CommunicationProtocol {
    async registerManual(_client, template) {
      const tools = Object.keys(SCHEMAS).map((name) => ({
        ...{ name, description: name, tags: [], tool_call_template: template },
        inputs: z.toJSONSchema(SCHEMAS[name].inputSchema),
        outputs: z.toJSONSchema(SCHEMAS[name].outputSchema),
      }));
      const manual = { utcp_version: "1.0.0", manual_version: "1.0.0", tools };
      return { manualCallTemplate: template, manual, success: true, errors: [] };
    }
    async deregisterManual() {}
    async callTool(_client, name, args) {
      return work[name.split(".").at(-1)](args);
    }
  }
  CallTemplateSerializer.registerCallTemplate("own", new AsItIs(), true);
  CommunicationProtocol.communicationProtocols.own = new Own();
  const client = await CodeModeUtcpClient.create();
  const { success, errors } = await client.registerManual({ name: "own", call_template_type: "own" });
  if (!success) throw new Error(String(errors));
  return {
    call: (name, args) => `own.${name}(${args})`,
    // Its calls block the script.
    async run(body) {
      const { result, logs } = await client.callToolChain(body.replaceAll("await ", ""), timeoutMs);
      if (result === null || result === undefined) throw new Error(logs.at(-1));
      return result;
    },
  };
}

/** Its executor is a Worker: the one here evaluates, so that what its own layer does is seen. */
async function openCloudflare(work) {
  const { codeMcpServer } = await import("@cloudflare/codemode/mcp");
  const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
  const server = new McpServer({ name: "own", version: "1.0.0" });
  for (const [name, { inputSchema }] of Object.entries(SCHEMAS)) {
    const annotations = { destructiveHint: name === "createTodo" };
    server.registerTool(
      name,
      { description: name, inputSchema: inputSchema.shape, annotations },
      async (input, extra) => ({
        content: [{ type: "text", text: JSON.stringify(await work[name](input, extra.authInfo?.clientId)) }],
      }),
    );
  }
  const executor = {
    async execute(code, [{ fns }]) {
      try {
        // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- it stands for the Worker
        return { result: await new Function("codemode", `return (${code})();`)(fns) };
      } catch (error) {
        return { result: undefined, error: error.message };
      }
    },
  };
  const coded = await codeMcpServer({ server, executor });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = near.send.bind(near);
  let asking;
  near.send = (message) => send(message, { authInfo: { token: "t", clientId: asking, scopes: [] } });
  await coded.connect(far);
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(near);
  return {
    call: (name, args) => `codemode.${name}(${args})`,
    async run(body, { user }) {
      asking = user;
      const { content, isError } = await client.callTool({
        name: "code",
        arguments: { code: `async () => { ${body} }` },
      });
      if (isError) throw new Error(content[0].text);
      return JSON.parse(content[0].text);
    },
  };
}
