// The same six tools, as each framework makes them. What they do is in one place; each framework has its own way to the request's user.
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

const id = z.object({ id: z.string() });
const title = z.object({ title: z.string() });
const nothing = z.object({});

/** What the tools do. `who` is the user that the framework's own way to the request gave. */
const work = {
  getUser: (who, { id: asked }) => ({ id: asked, user: who ?? "a stranger", name: "Ada" }),
  createTodo: (who, { title: made }) => ({ made, by: who ?? "a stranger" }),
  wait: (_who, _input, signal) => delay(60_000, "too late", { signal }),
  fail: () => {
    throw new Error("no such table");
  },
  big: () => "x".repeat(50 * 1024 * 1024),
};
const schemas = { getUser: id, createTodo: title, wait: nothing, fail: nothing, big: nothing };
const all = (make) =>
  Object.fromEntries(Object.keys(work).map((name) => [name, make(name, schemas[name], work[name])]));

async function ofAiSdk() {
  const { tool } = await import("ai");
  return all((name, inputSchema, run) =>
    tool({
      ...{ description: name, inputSchema, ...(name === "createTodo" && { needsApproval: true }) },
      execute: (input, { experimental_context: context, abortSignal }) => run(context?.user, input, abortSignal),
    }),
  );
}

async function ofMastra() {
  const { createTool } = await import("@mastra/core/tools");
  return all((name, inputSchema, run) =>
    createTool({
      ...{ id: name, description: name, inputSchema, requireApproval: name === "createTodo" },
      execute: (input, call) => run(call?.context?.user, input, call?.abortSignal),
    }),
  );
}

async function ofTanStack() {
  const { toolDefinition } = await import("@tanstack/ai");
  return all((name, inputSchema, run) =>
    toolDefinition({ name, description: name, inputSchema, needsApproval: name === "createTodo" }).server(
      (input, call) => run(call?.context?.user, input, call?.signal),
    ),
  );
}

async function ofLangChain() {
  const { tool } = await import("langchain");
  return all((name, schema, run) =>
    Object.assign(
      tool((input, call) => run(call?.context?.user, input, call?.signal), { name, description: name, schema }),
      // LangChain asks in a middleware: the tool itself has no word for it.
      name === "createTodo" ? { needsApproval: true } : {},
    ),
  );
}

async function ofOpenAi() {
  const { tool } = await import("@openai/agents");
  return all((name, parameters, run) =>
    tool({
      ...{ name, description: name, parameters, needsApproval: name === "createTodo", errorFunction: null },
      execute: (input, context, details) => run(context?.context?.user, input, details?.signal),
    }),
  );
}

const asResult = async (value) => {
  const made = await value;
  return { content: [{ type: "text", text: typeof made === "string" ? made : JSON.stringify(made) }] };
};

async function ofMcp(specifier, extraOf) {
  const { McpServer } = await import(specifier);
  return () => {
    const server = new McpServer({ name: "todos", version: "1.0.0" });
    for (const name of Object.keys(work)) {
      const isOld = specifier.endsWith(".js");
      server.registerTool(
        name,
        { description: name, inputSchema: isOld ? schemas[name].shape : schemas[name] },
        (input, extra) => asResult(work[name](extraOf(extra)?.clientId, input, extra.signal ?? extra.mcpReq?.signal)),
      );
    }
    return server;
  };
}

/** By framework: the server of `codeMode`, and the context of a user in its words. */
export const FRAMEWORKS = {
  "ai-sdk": { make: ofAiSdk, contextOf: (user) => ({ user }) },
  mastra: { make: ofMastra, contextOf: (user) => ({ user }) },
  tanstack: { make: ofTanStack, contextOf: (user) => ({ user }) },
  langchain: { make: ofLangChain, contextOf: (user) => ({ user }) },
  "openai-agents": { make: ofOpenAi, contextOf: (user) => ({ user }) },
  "mcp-sdk-1": {
    make: () => ofMcp("@modelcontextprotocol/sdk/server/mcp.js", ({ authInfo }) => authInfo),
    contextOf: (user) => ({ authInfo: { clientId: user } }),
  },
  "mcp-sdk-2": {
    make: () => ofMcp("@modelcontextprotocol/server", ({ http, authInfo }) => http?.authInfo ?? authInfo),
    contextOf: (user) => ({ authInfo: { clientId: user } }),
  },
};
