// Usage: node call-versions.mjs PACKAGE. Prints what a tool of that version of a framework gets of a call, as JSON.
import { codeMode } from "codemode";
import { z } from "zod";

const schema = z.object({ id: z.string(), size: z.number().default(3) });
const description = "Gives what it gets";

const aiSdk = async (specifier) => {
  const { tool } = await import(specifier);
  const make = (more, work) =>
    tool({
      description,
      inputSchema: schema,
      ...more,
      execute: (input, call) => work(input, call.experimental_context?.user, call.abortSignal),
    });
  return { make, asks: { needsApproval: true } };
};
const mastra = (isOld) => async (specifier) => {
  const { createTool } = await import(specifier);
  const execute = (work) =>
    isOld
      ? ({ context, runtimeContext }, call) => work(context, runtimeContext?.get("user"), call?.abortSignal)
      : (input, { requestContext, abortSignal } = {}) => work(input, requestContext?.get("user"), abortSignal);
  const make = (more, work) =>
    createTool({ id: "tool", description, inputSchema: schema, ...more, execute: execute(work) });
  return { make, asks: { requireApproval: true } };
};
const langChain = (contextOf) => async (specifier) => {
  const { tool } = await import(specifier);
  const make = (more, work) =>
    Object.assign(
      tool((input, config) => work(input, contextOf(config)?.user, config?.signal), {
        name: "tool",
        description,
        schema,
      }),
      more,
    );
  return { make, asks: { needsApproval: true } };
};
const openAi = async (specifier) => {
  const { tool } = await import(specifier);
  const make = (more, work) =>
    tool({
      ...{ name: "tool", description, parameters: schema, errorFunction: null, ...more },
      execute: async (input, run, details) => work(input, run?.context?.user, details?.signal),
    });
  return { make, asks: { needsApproval: true } };
};
const tanStack = async (specifier) => {
  const { toolDefinition } = await import(specifier);
  const make = (more, work) =>
    toolDefinition({ name: "tool", description, inputSchema: schema, ...more }).server((input, call) =>
      work(input, call?.context?.user, call?.signal),
    );
  return { make, asks: { needsApproval: true } };
};

const PACKAGES = {
  "ai-5": aiSdk,
  "ai-6": aiSdk,
  ai: aiSdk,
  "mastra-core-0/tools": mastra(true),
  "mastra-core-1.0/tools": mastra(false),
  "@mastra/core/tools": mastra(false),
  "langchain-core-0.3/tools": langChain((config) => config?.configurable),
  "@langchain/core/tools": langChain((config) => config?.context ?? config?.configurable),
  "openai-agents-0.2": openAi,
  "@openai/agents": openAi,
  "tanstack-ai-0.2": tanStack,
  "@tanstack/ai": tanStack,
};

const [specifier] = process.argv.slice(2);
const { make, asks } = await PACKAGES[specifier](specifier);
const asked = [];
const tools = {
  tell: make({}, (input, user, signal) => ({ input, user, hasSignal: signal === undefined ? "none" : true })),
  ask: make(asks, (input) => ({ made: input })),
  fail: make({}, () => {
    throw new Error("no such table");
  }),
};
const code = await codeMode(
  { own: tools },
  { approve: ({ call, context }) => asked.push([call.input, context.user]) > 0 },
);
const script = `import { tell, ask, fail } from "@codemode/servers/own";
const read = (value) => (typeof value === "string" ? JSON.parse(value) : value);
const input = { id: "a" };
export default [read(await tell(input)), read(await ask(input)), await fail(input).catch(({ message }) => message)];`;
const { result, diagnostics } = await code.run({ code: script }, { context: { user: "ada" } });
await code.close();
process.stdout.write(JSON.stringify({ result, asked, diagnostics }));
