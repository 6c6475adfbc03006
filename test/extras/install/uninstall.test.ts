import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "../../e2e/open-commands.ts";
import { makeProject } from "../../e2e/run-codemode.ts";

test("one scope of a client's files is changed, with the servers of this project in a file of the account", async () => {
  const entry = { codemode: { command: "codemode", args: ["serve"] } };
  const cwd = await makeProject({ ".mcp.json": { mcpServers: entry } });
  const account = { mcpServers: entry, projects: { [cwd]: { mcpServers: entry }, "/other": { mcpServers: entry } } };
  const home = await makeProject({ ".claude.json": account });
  const env = { HOME: home, USERPROFILE: home };
  const uninstall = async (...words: string[]): Promise<unknown[]> => {
    const { code, stderr } = await typeCommand(["uninstall", "claude-code", ...words], { cwd, env });
    const { mcpServers, projects } = JSON.parse(await readFile(join(home, ".claude.json"), "utf8")) as typeof account;
    const ofProject = await readFile(join(cwd, ".mcp.json"), "utf8");
    const has = (servers: object | undefined): boolean => Object.keys(servers ?? {}).includes("codemode");
    return [
      ...[code, ofProject.includes("codemode"), has(projects[cwd]?.mcpServers), has(mcpServers)],
      ...[has(projects["/other"]?.mcpServers), /--user/.test(stderr)],
    ];
  };
  expect(await uninstall()).toEqual([0, false, false, true, true, true]);
  expect(await uninstall("--user")).toEqual([0, false, false, false, true, false]);
});
