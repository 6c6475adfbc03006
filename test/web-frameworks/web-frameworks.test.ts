import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { askForTasks, startWebServer, TASKS } from "../docs/ask-web-server.ts";
import { linkPackages, writeWebProject } from "../docs/write-web-project.ts";
import { makeTestFolder } from "../make-test-folder.ts";

const PACKAGES = "test/web-frameworks/node_modules";
const NEXT = resolve(PACKAGES, "next/dist/bin/next");

test("the Hono server of docs/web-servers.md answers requests at the same time, and ends with its signal", async () => {
  const cwd = await makeTestFolder();
  const hono = { hono: `${PACKAGES}/hono`, "@hono/node-server": `${PACKAGES}/@hono/node-server` };
  await linkPackages(cwd, { codemode: ".", ...hono });
  await writeWebProject(cwd);
  const { server, port } = await startWebServer(cwd, ["hono.js"]);
  expect(await askForTasks(port)).toEqual(TASKS);
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});

/** No registry and no telemetry: what is installed is enough. */
const ENV = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", npm_config_registry: "http://127.0.0.1:9/" };

let app: string;

/** A bundler that works for many seconds on a busy machine. */
const BUILD_MS = 120_000;

beforeAll(async () => {
  // It follows no link out of the project, and looks for packages in the folders above.
  app = await mkdtemp(resolve("test/web-frameworks/.project-"));
  await installCodemode(join(app, "node_modules/codemode"));
  await writeWebProject(app);
  await promisify(execFile)(process.execPath, [NEXT, "build"], { cwd: app, env: ENV });
}, BUILD_MS);
afterAll(() => rm(app, { recursive: true, force: true }));

test("the Next.js application of docs/web-servers.md is built without a network, and answers requests", async () => {
  const port = await findPort();
  const words = [NEXT, "start", "--port", port];
  const server = spawn(process.execPath, words, { cwd: app, env: ENV, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    server.kill("SIGTERM");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  });
  for await (const line of createInterface(server.stdout)) if (line.includes("Ready")) break;
  expect(await askForTasks(port)).toEqual(TASKS);
});

/** The files that are published, beside which Node finds the dependencies of this repository. */
async function installCodemode(folder: string): Promise<void> {
  const { files } = JSON.parse(await readFile("package.json", "utf8")) as { files: string[] };
  const whole = ["package.json", ...files.filter((file) => !file.includes("*"))];
  for (const file of whole) await cp(file, join(folder, file), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
}

async function findPort(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return String(port);
}
