import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, SERVERS } from "./run-codemode.ts";

async function run(code: string): Promise<RunAnswer> {
  const { everything, filesystem } = SERVERS;
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything, "File System": filesystem } },
    "script.ts": code,
  });
  const { stdout } = await typeCommand(["run", "script.ts", "--json"], { cwd });
  return JSON.parse(stdout) as RunAnswer;
}

test("a script finds servers and tools, as little or as much of them as it asks for", async () => {
  const answer = await run(`
    import { describeServer, getTool, listServers, listTools, searchTools, specVersion } from "@codemode/discovery";
    const names = await listTools("everything", { detail: "name" });
    export default {
      specVersion,
      servers: await listServers(),
      described: await describeServer("file-system"),
      first: names[0],
      described2: (await listTools("everything")).find((tool) => tool.toolName === "get-sum"),
      full: await getTool("everything", "get-sum"),
      found: await searchTools("reading text files", { limit: 3, detail: "name" }),
      inServer: (await searchTools("echo", { serverId: "everything" })).results[0]?.exportName,
    };`);
  expect(answer.diagnostics).toEqual([]);
  expect(answer.toolTrace).toEqual([]);
  expect(answer.result).toMatchObject({
    specVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    servers: [
      { serverId: "everything", serverName: "everything", capabilities: expect.arrayContaining(["tools"]) },
      { serverId: "file-system", serverName: "File System" },
    ],
    described: { serverId: "file-system", version: expect.any(String) },
    full: {
      toolName: "get-sum",
      exportName: "get_sum",
      inputSchema: { type: "object" },
      signature: expect.stringContaining("function get_sum(input: { "),
    },
    inServer: "echo",
  });
  const { first, described2, found } = answer.result as Record<string, Record<string, unknown>>;
  expect(Object.keys(first ?? {})).toEqual(["toolName", "exportName"]);
  expect(Object.keys(described2 ?? {})).toEqual(expect.arrayContaining(["description"]));
  expect(described2).not.toHaveProperty("inputSchema");
  const places = ((found ?? {})["results"] as { serverId: string; toolName: string }[]).map(({ toolName }) => toolName);
  expect(places[0]).toBe("read_text_file");
  expect(places).toHaveLength(3);
});

test("what is not there is an error of its class, with the nearest name", async () => {
  const answer = await run(`
    import { describeServer, getTool } from "@codemode/discovery";
    import { ServerNotFoundError, ToolNotFoundError } from "@codemode/errors";
    const caught = async (asking: Promise<unknown>) => asking.then(() => "nothing", (error) => [
      error instanceof ServerNotFoundError, error instanceof ToolNotFoundError, error.hint]);
    export default [await caught(describeServer("everythin")), await caught(getTool("everything", "ecko"))];`);
  expect(answer.result).toEqual([
    [true, false, 'Did you mean "everything"?'],
    [false, true, 'Did you mean "echo"?'],
  ]);
});
