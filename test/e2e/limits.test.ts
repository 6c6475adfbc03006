import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { testOnPosix } from "../platforms/needs.ts";
import { typeCommand } from "./open-commands.ts";
import { makeGeneratedProject, runCodemode } from "./run-codemode.ts";
import { serveScripts } from "./serve-clients.ts";

const server = (...habits: string[]) => ({
  command: process.execPath,
  args: [resolve("test/servers/misbehaving-server.mjs"), "all-calls", ...habits],
  env: { PID_FILE: "pids" },
});

const HANG = 'import { hang } from "@codemode/servers/slow"; export default await hang();';
const CRASH = 'import { crash } from "@codemode/servers/slow"; await crash().catch(() => {});';

function lockedProject(config: object = {}): Promise<string> {
  return makeGeneratedProject({ "codemode.config.json": { mcpServers: { slow: server() }, ...config } });
}

async function runForAnswer(cwd: string, ...args: string[]): Promise<RunAnswer> {
  const { stdout } = await typeCommand(["run", ...args, "--json"], { cwd });
  return JSON.parse(stdout) as RunAnswer;
}

// With fewer Node itself does not start, and thirty are enough: in between, one or the other process gets none.
testOnPosix("ulimit")("where files run out a run says so, and how they are given", async () => {
  const cwd = await lockedProject();
  for (const files of [20, 22, 24]) {
    const command = `ulimit -n ${files}; exec '${process.execPath}' '${resolve("dist/cli/main.js")}' run --eval 'export default 1'`;
    const { status, stderr } = spawnSync("/bin/sh", ["-c", command], { cwd, encoding: "utf8", timeout: 15_000 });
    expect([files, status, stderr]).toEqual([files, 1, expect.stringContaining("`ulimit -n`")]);
    expect(stderr).not.toMatch(/\n {4}at |bug in codemode/);
  }
});

test("the trace says of a connection that broke that it broke", async () => {
  const cwd = await lockedProject();
  const { toolTrace } = await runForAnswer(cwd, "--eval", CRASH);
  expect(toolTrace).toMatchObject([{ ok: false, error: "ToolCallError: the connection to the server broke" }]);
});

test("a run does not outlive its limit where a server hangs at its start, with either drift setting", async () => {
  const hang = async (drift: string) => {
    const cwd = await lockedProject({ drift });
    const mcpServers = { slow: server("silent-at-discover", "hang-at-initialize") };
    await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers, drift }));
    // In a process of its own: both wait.
    const { stdout } = await runCodemode(["run", "--eval", HANG, "--timeout", "1500", "--json"], { cwd });
    return JSON.parse(stdout) as RunAnswer;
  };
  const ended = {
    severity: "error",
    code: "SANDBOX_LIMIT",
    message: expect.stringMatching(
      /did not start within timeoutMs \(1500 ms\): it was waiting 10 s for the start of "slow"$/,
    ),
  };
  for (const answer of await Promise.all(["warn", "refuse"].map(hang)))
    expect(answer).toMatchObject({ result: null, diagnostics: [ended] });
});

test("an agent is given no commands of a shell, except what the user can do about approval", async () => {
  const mcpServers = { slow: server(), gone: server() };
  const cwd = await lockedProject({ mcpServers, policy: { ask: ["slow/echo"] }, drift: "refuse" });
  const away = { command: "no-such-command-anywhere" };
  const config = { mcpServers: { slow: server(), gone: away }, policy: { ask: ["slow/echo"] }, drift: "refuse" };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify(config));
  const run = await serveScripts(cwd);
  const scripts = [
    HANG.replace("{ hang }", "{ no_such_tool_at_all }").replace("hang()", "no_such_tool_at_all()"),
    'import { echo } from "@codemode/servers/slow"; await echo();',
    'import { echo } from "@codemode/servers/gone"; await echo();',
    'import { x } from "@codemode/servers/zzzzzzz"; await x();',
  ];
  for (const code of scripts) {
    const { diagnostics } = await run(code);
    expect(diagnostics.length, code).toBeGreaterThan(0);
    const hints = diagnostics.map(({ hint = "" }) => hint).filter((hint) => !hint.startsWith("Tell the user "));
    expect(hints.join("\n"), code).not.toMatch(/`codemode /);
  }
});
