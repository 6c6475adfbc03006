import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { makeProject, runCodemode } from "./run-codemode.ts";
import { testOnLinux } from "../platforms/needs.ts";

const ERASE = "\r\u001b[K";

/** Runs a command on its own terminal, as a user sees it. */
function runOnTerminal(args: readonly string[], cwd: string) {
  const command = [process.execPath, resolve("dist/cli/main.js"), ...args].join(" ");
  const { CI: _, NO_COLOR: __, ...rest } = process.env;
  const env = { ...rest, TERM: "xterm" };
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  return child;
}

testOnLinux("script of util-linux")(
  "on a terminal long work has a line that leaves no trace, and off it there is nothing of the kind",
  async () => {
    // So late that it is waited for.
    const server = resolve("test/servers/hanging-server.mjs");
    const late = { command: "sh", args: ["-c", `sleep 0.7; exec "${process.execPath}" "${server}" heard.txt`] };
    const early = { command: process.execPath, args: [server, "heard.txt"] };
    const cwd = await makeProject({ "codemode.config.json": { mcpServers: { late, early } } });
    const [child, quiet] = [runOnTerminal(["lock"], cwd), runCodemode(["diff"], { cwd })];
    const shown = await readAll(child.stdout);
    expect(shown).toMatch(/Locking \[[#-]{20}\] \d of 2, waiting for /);
    // Every painted line is erased before the next output.
    for (const part of shown.split("Locking [").slice(1)) expect(part).toContain(ERASE);
    const lines = shown.split("\r\n").map((line) => line.slice(line.lastIndexOf(ERASE) + 1));
    expect(lines.map((line) => line.replaceAll("\u001b[K", ""))).toContain("late: 1 tool, added");
    expect((await quiet).stderr + (await quiet).stdout).not.toContain("\u001b");
  },
);

testOnLinux("script of util-linux")("an interruption takes the line away", async () => {
  const silent = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { silent } } });
  const child = runOnTerminal(["lock"], cwd);
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  while (!shown.includes("waiting for silent")) await delay(20);
  child.stdin.write("\u0003");
  await once(child, "close");
  expect(shown.lastIndexOf(ERASE)).toBeGreaterThan(shown.lastIndexOf("waiting for silent"));
});
