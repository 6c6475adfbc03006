import { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CodeMode, CodeModeOptions } from "codemode";
import { openCodeMode } from "./open-code-mode.ts";

// Real packages, in their oldest and newest versions: test/frameworks.

const open = (own: unknown, options: CodeModeOptions = {}): Promise<CodeMode> => openCodeMode({ own }, options);
const refusalOf = async (tool: object): Promise<unknown> => open({ tool }).catch((error: unknown) => error);

class Tool {
  readonly schema = { type: "object" };
  readonly name = "tool";
  call(): number {
    return 1;
  }
}
const ofOpenAi = {
  ...{ type: "function", name: "tool", strict: true },
  parameters: { type: "object", properties: { size: { type: "number", default: 5000 } } },
  invoke: async (_run: unknown, text: string) => JSON.parse(text) as unknown,
};

test("how a tool of an unknown class is called is not guessed: it is refused by its name", async () => {
  expect(await refusalOf(new Tool())).toMatchObject({
    ...{ code: "INVALID_OPTION", message: 'tool "own/tool": it is a `Tool`, and how that is called is not known' },
    hint: expect.stringMatching(
      /^Write `tool: defineTool.*Known are plain objects, and tools of .*@mastra\/core 0\.24/,
    ) as string,
  });
});

test.each([
  [{ ...ofOpenAi, inputGuardrails: [{}] }, "its `inputGuardrails` works within OpenAI Agents alone"],
  [{ ...ofOpenAi, outputGuardrails: [{}] }, "its `outputGuardrails` works within OpenAI Agents alone"],
  [{ __toolSide: "client", execute: () => 1 }, "its `client` works within TanStack AI alone"],
])("a restriction that only the framework holds is refused: %#", async (tool, problem) => {
  expect(await refusalOf(tool)).toMatchObject({ message: `tool "own/tool": ${problem}` });
});

test("`isEnabled` of OpenAI Agents is a guard, with the context in their way", async () => {
  const isEnabled = async ({ context }: { context: unknown }): Promise<boolean> => context === "admin";
  const code = await open({ tool: { ...ofOpenAi, inputGuardrails: [], isEnabled } });
  expect((await code.toolFor("admin")).description).toContain("tool(");
  expect((await code.toolFor("guest")).description).not.toContain("tool(");
});

test("a context that is not as `contextSchema` of AI SDK 7 says does not reach the function", async () => {
  const contextSchema = z.object({ user: z.string(), role: z.string().default("guest") });
  const tool = { contextSchema, execute: (_input: unknown, { context }: { context: unknown }) => context };
  const code = await open({ tool });
  expect(await code.callTool("own/tool", {}, { context: { user: "ada" } })).toEqual({ user: "ada", role: "guest" });
  for (const context of [{ user: 5 }, undefined])
    await expect(code.callTool("own/tool", {}, { context })).rejects.toThrow("The context does not match its schema");
});

test("the result by which Mastra says that a call is wrong is an error", async () => {
  const failed = { error: true, message: "Request context validation failed", validationErrors: {} };
  const code = await open({
    tool: { mastra: undefined, mcp: undefined, inputSchema: z.object({}), execute: () => failed },
  });
  await expect(code.callTool("own/tool")).rejects.toThrow("Request context validation failed");
});

const makeServer = () => {
  const server = new McpServer({ name: "own", version: "1.0.0" });
  const inputSchema = z.object({ size: z.number().default(5000), to: z.object({ name: z.string().default("ada") }) });
  server.registerTool("tool", { inputSchema }, (input) => ({
    content: [{ type: "text", text: JSON.stringify(input) }],
  }));
  return server;
};

test.each<[kind: string, own: (rules: object) => unknown, input: object, whole: object]>([
  ["OpenAI Agents", (rules) => ({ tool: { ...ofOpenAi, ...rules } }), {}, { size: 5000 }],
  [
    "an McpServer",
    (rules) => ({ server: makeServer, tools: { tool: rules } }),
    { to: {} },
    { size: 5000, to: { name: "ada" } },
  ],
])("defaults that the tool of %s fills in itself are judged and shown", async (_kind, own, input, whole) => {
  const seen: unknown[] = [];
  const needsApproval = (...given: unknown[]): boolean =>
    seen.push(given.find((each) => Object.hasOwn(Object(each) as object, "size"))) > 0;
  const approve: CodeModeOptions["approve"] = ({ call }) => seen.push(call?.input) > 0;
  const code = await open(own({ needsApproval }), { approve });
  const result = await code.callTool("own/tool", input as never);
  expect(typeof result === "string" ? JSON.parse(result) : result).toEqual(whole);
  expect(seen).toEqual([whole, whole]);
});

test("a picture is content for a model, and no text of the answer", async () => {
  const data = Buffer.alloc(50_000, 1).toString("base64");
  const code = await open({ picture: { execute: () => ({ type: "image", mimeType: "image/png", data }) } });
  const script = { code: `import { picture } from "@codemode/servers/own"; export default await picture();` };
  const shown = { type: "image", mimeType: "image/png", content: 1 };
  const block = { type: "image", mimeType: "image/png", data };
  const answer = await code.tool.call(script);
  expect([answer.result, answer.media, answer.diagnostics]).toEqual([shown, [block], []]);
  expect(JSON.stringify(answer)).not.toContain(data);
  const text = JSON.stringify(await code.tool.call({ code: "export default 1;" }));
  expect((await code.tool.content(script)).map(({ type }) => type)).toEqual(["text", "image"]);
  expect(await code.tool.content({ code: "export default 1;" })).toEqual([{ type: "text", text }]);
  expect(code.tool.toModelOutput({ toolCallId: "1", input: script, output: answer })).toMatchObject({
    value: [{ type: "text" }, { type: "image-data", data, mediaType: "image/png" }],
  });
  expect(code.tool.toModelOutput(answer)).toMatchObject({ value: [{}, { type: "media", data }] });
  const ofAiSdk7 = await code.tool.execute(script, { experimental_sandbox: undefined });
  expect(code.tool.toModelOutput({ toolCallId: "1", output: ofAiSdk7 })).toMatchObject({
    value: [{}, { type: "file", data: { type: "data", data } }],
  });
  expect(code.tool.toModelOutput({ toolCallId: "1", output: { result: 1 } })).toEqual({
    type: "json",
    value: { result: 1 },
  });
});
