import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { runInTerminal } from "./own-terminal.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";

const CONFIG = { mcpServers: { everything: STAND_INS.everything } };

/** A durable run whose process is killed, and the command that looks at it. */
async function killDurableRun() {
  // sleeps: its process is killed meanwhile
  const code = 'console.log("begun"); await new Promise((go) => setTimeout(go, 600)); export default "through";';
  const cwd = await makeProject({ "codemode.config.json": CONFIG, "slow.js": code });
  const env = { XDG_STATE_HOME: join(cwd, "state") };
  const words = [resolve("dist/cli/main.js"), "run", "slow.js", "--durable"];
  const child = spawn(process.execPath, words, {
    ...{ cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] },
  });
  let text = "";
  child.stderr.setEncoding("utf8");
  while (!text.includes("begun")) text += ((await once(child.stderr, "data")) as [string])[0];
  child.kill("SIGKILL");
  await once(child, "close");
  const [, id = text] = /Run (\S+)\./.exec(text) ?? [];
  return { id, runs: (...given: string[]) => typeCommand(["runs", ...given], { cwd, env }) };
}

test("a durable run whose process is killed is listed, and goes on with --resume", async () => {
  const { id, runs } = await killDurableRun();
  expect(JSON.parse((await runs("--json")).stdout)).toMatchObject([{ id }]);
  expect(await runs(id, "--resume")).toMatchObject({ code: 0, stdout: '"through"\n' });
});

test("a durable run whose process is killed ends with --cancel, and is removed with --prune", async () => {
  const { id, runs } = await killDurableRun();
  expect(await runs(id, "--cancel")).toMatchObject({ code: 0 });
  expect((await runs(id)).stdout).toContain("RUN_CANCELLED");
  expect(await runs(id, "--prune")).toMatchObject({ code: 0 });
  expect(JSON.parse((await runs("--json")).stdout)).toEqual([]);
});

test("a durable run that waits for a person ends with 4, is replayed by its id or from a file, and another script goes on with it", async () => {
  const ask = (message: string, after = ""): string => `import { echo, get_sum } from "@codemode/servers/everything";
    const sum = await get_sum({ a: 40, b: 2 });
    console.log(String(sum));
    ${after}
    export default await echo({ message: "${message}" });`;
  const files = { "codemode.config.json": { ...CONFIG, policy: { askEach: ["everything/echo"] } } };
  const cwd = await makeProject({ ...files, "ask.ts": ask("first"), "plain.ts": ask("none", "throw new Error();") });
  const env = { XDG_STATE_HOME: join(cwd, "state") };
  const type = (...words: string[]) => typeCommand(words, { cwd, env });

  const waited = await type("run", "ask.ts", "--durable", "--wait", "0");
  const [, id = ""] = /Run (\S+)\./.exec(waited.stderr) ?? [];
  expect(waited).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining("APPROVAL_REQUIRED") });
  expect(waited.stderr).toContain(`codemode runs ${id} --resume`);
  expect(await type("runs", id, "--resume", "--wait", "0")).toMatchObject({ code: 4 });

  expect(await type("runs", id, "--export", "run.json")).toMatchObject({ code: 0, stdout: "" });
  for (const recording of ["run.json", id])
    expect((await type("replay", recording)).stderr, recording).toContain("The sum of 40 and 2 is 42.");
  expect((await type("replay", id, "--update")).code).toBe(2);
  expect((await type("replay", id, "plain.ts")).stderr).toContain("REPLAY_DIVERGED");

  await type("runs", id, "--cancel");
  expect((await type("runs", id, "--retry")).stderr).toContain("RUN_CANCELLED");
  const other = await type("run", "plain.ts", "--from", id);
  expect(other.stderr).toContain("UNCAUGHT_EXCEPTION");
  const [, otherId = ""] = /Run (\S+)\./.exec(other.stderr) ?? [];
  expect((await type("runs", otherId)).stdout).not.toContain("call 2");

  // The server is another program now: a person confirms that a run that has ended goes on there.
  const { command, args } = STAND_INS.everything;
  const moved = { mcpServers: { everything: { command, args: [...args, "moved"] } } };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify(moved));
  for (const words of [
    ["runs", otherId, "--retry"],
    ["run", "plain.ts", "--from", id],
    ["run", "plain.ts", "--undo", id],
  ]) {
    expect(await type(...words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stays as it is: the calls of its server "everything"'),
    });
    if (process.platform !== "linux") continue;
    const asked = await runInTerminal(words, { cwd, env, typed: [["Go on there?", "n"]] });
    expect(asked).toMatchObject({ code: 1, shown: expect.stringContaining("- everything") });
    const allowed = await runInTerminal(words, { cwd, env, typed: [["Go on there?", "y"]] });
    expect(allowed.shown).toContain("UNCAUGHT_EXCEPTION");
  }
});

test("a part of a batch, whose inputs are tried again where a server fails for a moment", async () => {
  const inputs = [1, 2, 3, 4, 5].map((a) => `${JSON.stringify({ a })}\n`).join("");
  const code = "export default globalThis.__codemode_input__.a;";
  const cwd = await makeProject({ "codemode.config.json": CONFIG, "a.js": code, "inputs.jsonl": inputs });
  const options = ["--inputs", "inputs.jsonl", "--shard", "2/2", "--retries", "1", "--max-memory", "100000000"];
  const finished = await typeCommand(["run", "a.js", ...options], { cwd });
  expect(finished.code, finished.stderr).toBe(0);
  const lines = finished.stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { line: 2, result: 2 },
    { line: 4, result: 4 },
  ]);
});

test("servers of a client's file move behind codemode with --move, and come back with uninstall", async () => {
  const file = { mcpServers: { everything: STAND_INS.everything, other: { command: "other-server" } } };
  const cwd = await makeProject({ "codemode.config.json": CONFIG, ".cursor/mcp.json": file });
  const read = async () =>
    Object.keys((JSON.parse(await readFile(join(cwd, ".cursor/mcp.json"), "utf8")) as typeof file).mcpServers);
  await typeCommand(["lock"], { cwd });
  const installed = await typeCommand(["install", "cursor", "--project", "--move"], { cwd });
  expect(installed.code, installed.stderr).toBe(0);
  expect(await read()).toEqual(["other", "codemode"]);
  expect(await typeCommand(["uninstall", "cursor", "--project"], { cwd })).toMatchObject({ code: 0 });
  expect((await read()).toSorted()).toEqual(["everything", "other"]);
});
