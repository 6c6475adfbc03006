import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";

const FILE_SERVER = resolve("test/servers/file-server.mjs");

/** Tools whose lockfile is some hundred kilobytes: writing it takes a moment in which the writer can be killed. */
function manyTools(version: number): object[] {
  return Array.from({ length: 400 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Version ${version}. ${"Words about it. ".repeat(40)}`,
    inputSchema: { type: "object" },
  }));
}

test("a lock that is killed leaves the old file or the new one, never half of one", { timeout: 120_000 }, async () => {
  const mcpServers = { many: { command: process.execPath, args: [FILE_SERVER, "tools.json"] } };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers }, "tools.json": manyTools(0) });
  const started = performance.now();
  await runCodemode(["lock"], { cwd });
  const wholeMs = performance.now() - started;
  const seen = new Set<string>();
  for (let round = 1; round <= 12; round += 1) {
    await writeFile(join(cwd, "tools.json"), JSON.stringify(manyTools(round)));
    const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "lock"], { cwd, stdio: "ignore" });
    const ended = new Promise((settle) => child.once("close", settle));
    // From before the snapshot to after the end, most of them around the write.
    await delay(wholeMs * (0.5 + round / 20));
    child.kill("SIGKILL");
    await ended;
    const lockfile = parseLockfile(await readFile(join(cwd, "codemode.lock.json"), "utf8"), "codemode.lock.json");
    seen.add(lockfile.servers.get("many")?.tools[0]?.description?.slice(0, 10) ?? "nothing");
  }
  expect(seen.has("nothing")).toBe(false);
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["lock", "--check"], { cwd })).toMatchObject({ code: 0 });
});

test("generate --watch follows what a server changes, through a storm of notifications, until it is interrupted", async () => {
  const tool = (name: string): object => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } });
  const mcpServers = {
    gone: { command: process.execPath, args: ["-e", "process.exit(1)"] },
    live: { command: process.execPath, args: [FILE_SERVER, "tools.json", "--notify"] },
  };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers }, "tools.json": [tool("one")] });
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "generate", "--watch"], { cwd });
  let notes = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (notes += text));
  const ended = new Promise((settle) => child.once("close", settle));
  try {
    await vi.waitFor(() => expect(notes).toContain("Watching 1 server."), { timeout: 15_000 });
    await writeFile(join(cwd, "tools.json"), JSON.stringify([tool("one"), tool("two")]));
    await vi.waitFor(async () => expect(await readdir(join(cwd, "generated/live/tools"))).toContain("two.js"), {
      timeout: 15_000,
    });
    await vi.waitFor(() => expect(notes).toContain("differs from the lockfile"), { timeout: 15_000 });
  } finally {
    child.kill("SIGINT");
  }
  // The server that does not answer is named, and takes the other with it neither here nor in the lock before.
  expect(await ended).toBe(1);
  expect(notes.match(/differs from the lockfile/g)).toHaveLength(1);
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });
});
