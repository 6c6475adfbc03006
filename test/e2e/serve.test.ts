import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { makeProject } from "./run-codemode.ts";
import { connectLegacy } from "./serve-clients.ts";
import { shareInFile } from "./share-in-file.ts";

/** A client of the older SDK, as most agents still have it. */
const connected = shareInFile(async () =>
  connectLegacy(await makeProject({ "codemode.config.json": { mcpServers: {} } }), ["--tool-name", "codemode_run"]),
);

async function run(client: Client, code: string, name = "codemode.run", rest = {}): Promise<RunAnswer> {
  const result = await client.callTool({ name, arguments: { code, ...rest } });
  expect(result.isError ?? false).toBe(false);
  const [block] = result.content as { type: string; text: string }[];
  expect(JSON.parse(block?.text ?? "")).toEqual(result.structuredContent);
  return result.structuredContent as unknown as RunAnswer;
}

test("the tool can be renamed, and the names that clients make of it are answered", async () => {
  const client = connected();
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["codemode_run"]);
  for (const name of ["codemode_run", "codemode.run", "codemode-run"]) {
    expect((await run(client, "export default 7;", name)).result).toBe(7);
  }
});

test("a wrong argument is an error of the tool that says what to do", async () => {
  const client = connected();
  const result = await client.callTool({ name: "codemode.run", arguments: { source: "1" } });
  expect(result.isError).toBe(true);
  const [content] = result.content as { text: string }[];
  expect(JSON.parse(content?.text ?? "")).toEqual(result.structuredContent);
  expect(result.structuredContent).toMatchObject({
    diagnostics: [{ code: "INVALID_REQUEST", message: expect.stringContaining('"code" must be a string') }],
  });
});
