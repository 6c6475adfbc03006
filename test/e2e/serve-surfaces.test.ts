import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { makeGeneratedProject, STAND_INS } from "./run-codemode.ts";
import { connectLegacy, connectModern } from "./serve-clients.ts";
import { shareInFile } from "./share-in-file.ts";

type Client = Pick<Awaited<ReturnType<typeof connectLegacy>>, "callTool">;

async function textOf(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const result = await client.callTool({ name, arguments: input });
  expect(result.isError ?? false).toBe(false);
  return (result.content as { text: string }[])[0]?.text ?? "";
}

const makeEverything = (serve: object): Promise<string> =>
  makeGeneratedProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything }, serve } });

/** What an agent does with a signature that it has read. */
const SCRIPT = `import { get_sum } from "@codemode/servers/everything";
globalThis.__codemode_result__ = await get_sum({ a: 40, b: 2 });`;

test("an agent of the two-tool surface finds a tool and uses it at the first try", async () => {
  const client = await connectLegacy(await makeEverything({ surface: "search" }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search", "execute"]);
  const found = await textOf(client, "search", { query: "add two numbers", limit: 1 });
  expect(found).toContain('// from "@codemode/servers/everything"\n');
  expect(found).toContain("export function get_sum(input: { ");
  const answer = JSON.parse(await textOf(client, "execute", { code: SCRIPT })) as RunAnswer;
  expect(answer).toMatchObject({ result: "The sum of 40 and 2 is 42.", diagnostics: [] });
});

test("an agent of the four-tool surface lists, reads, looks up and executes", async () => {
  const client = await connectLegacy(await makeEverything({ surface: "files" }));
  expect(await textOf(client, "listToolFiles")).toMatch(/^servers\/\n {2}everything\.d\.ts {2}\d+ tools$/);
  const file = await textOf(client, "readToolFile", { fileName: "servers/everything.d.ts" });
  expect(file).toContain("export function get_sum(input: { ");
  const docs = await textOf(client, "getToolDocs", { server: "everything", tool: "get_sum" });
  expect(docs).toContain("await get_sum({ a: 1, b: 1 });");
  const answer = JSON.parse(await textOf(client, "executeToolCode", { code: SCRIPT })) as RunAnswer;
  expect(answer).toMatchObject({ result: "The sum of 40 and 2 is 42.", diagnostics: [] });
});

const direct = shareInFile(async () => connectLegacy(await makeEverything({ direct: ["everything/get-s*"] })));

test("plain tools stand beside the run tool, with structured content that the client checks", async () => {
  const client = direct();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "codemode.run",
    "everything_get_structured_content",
    "everything_get_sum",
  ]);
  expect(await textOf(client, "everything_get_sum", { a: 40, b: 2 })).toBe("The sum of 40 and 2 is 42.");
  const weather = await client.callTool({
    name: "everything_get_structured_content",
    arguments: { location: "Chicago" },
  });
  expect(weather.structuredContent).toMatchObject({ conditions: expect.any(String), temperature: expect.any(Number) });
  const wrong = await client.callTool({ name: "everything_get_sum", arguments: { a: "many" } });
  expect(wrong.isError).toBe(true);
});

test.each([
  ["legacy", async () => direct()],
  ["modern", async () => connectModern(await makeEverything({}))],
] as const)("declarations and the prompt reach a %s client", async (_era, connect) => {
  const client = await connect();
  const { resources } = await client.listResources();
  expect(resources).toMatchObject([
    { uri: "codemode://types/everything", mimeType: "text/typescript" },
    { uri: "skill://codemode/SKILL.md", mimeType: "text/markdown" },
  ]);
  const { contents } = await client.readResource({ uri: "codemode://types/everything/get-sum" });
  const signature = "export function get_sum(input: GetSumInput)";
  expect(contents).toMatchObject([{ text: expect.stringContaining(signature) }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: "codemode://types/{serverId}/{toolName}" }]);
  const { messages } = await client.getPrompt({ name: "write_script", arguments: { task: "add two numbers" } });
  expect(messages).toMatchObject([{ content: { text: expect.stringContaining("export function get_sum(") } }]);
});
