import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { runCodemode, SERVERS } from "../e2e/run-codemode.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { parsePage } from "./parse-page.ts";

async function writeProject(): Promise<string> {
  const cwd = await makeTestFolder();
  await mkdir(join(cwd, "node_modules"));
  await symlink(resolve("."), join(cwd, "node_modules/codemode"));
  await symlink(resolve("node_modules/express"), join(cwd, "node_modules/express"));
  await writeFile(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: { files: SERVERS.filesystem } }));
  await writeFile(join(cwd, "todo.txt"), "- [ ] first\n- [x] second\n");
  const { blocks } = parsePage(await readFile("docs/web-servers.md", "utf8"));
  for (const { title, text } of blocks) if (title !== undefined) await writeFile(join(cwd, title), text);
  expect(await runCodemode(["lock"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

async function start(cwd: string): Promise<{ server: ChildProcess; port: string }> {
  const env = { ...process.env, PORT: "0" };
  const server = spawn(process.execPath, ["server.js"], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  return { server, port: line.replace("port ", "") };
}

test("the web server of docs/web-servers.md answers requests at the same time, and ends with its signal", async () => {
  const cwd = await writeProject();
  const { server, port } = await start(cwd);
  const get = (file: string) => fetch(`http://127.0.0.1:${port}/tasks?file=${file}`);
  const answers = await Promise.all([get("todo.txt"), get("todo.txt"), get("missing.txt")]);
  expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))).toEqual([
    [200, ["- [ ] first"]],
    [200, ["- [ ] first"]],
    [502, { code: "UNCAUGHT_EXCEPTION" }],
  ]);
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});
