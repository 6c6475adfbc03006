import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { parse } from "acorn";
import { expect, onTestFinished, test } from "vitest";
import { explainOldNode, OLDEST_NODE } from "../../schemas/oldest-node.ts";
import packageJson from "../../package.json" with { type: "json" };
import runtimePackage from "../../runtime/bindings/package.json" with { type: "json" };
import { makeProject, runCodemode } from "./run-codemode.ts";

/** A project in which npm finds the command, as after `npm install`. */
async function makeInstalledProject(): Promise<string> {
  const cwd = await makeProject({
    "package.json": { name: "project", version: "1.0.0", scripts: { agents: "codemode serve --http 0" } },
    "codemode.config.json": { mcpServers: {} },
    "codemode.lock.json": { lockfileVersion: 1, servers: {} },
  });
  await mkdir(join(cwd, "node_modules", ".bin"), { recursive: true });
  await symlink(resolve(packageJson.bin.codemode), join(cwd, "node_modules", ".bin", "codemode"));
  return cwd;
}

test.each([
  ["npx", ["--no", "codemode", "serve", "--http", "0"]],
  ["npm", ["run", "agents"]],
])("a server that %s started ends when that gets SIGTERM", async (wrapper, words) => {
  const cwd = await makeInstalledProject();
  const child = spawn(wrapper, words, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const served = await new Promise<{ url: string; pid: number }>((settle, fail) => {
    child.once("exit", (code) => fail(new Error(`${wrapper} ended with ${code}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      const { pid } = line.startsWith("{") ? (JSON.parse(line) as { pid: number }) : { pid: 0 };
      const url = /http:[^\s"]+\/mcp/.exec(line)?.[0];
      if (url !== undefined) settle({ url, pid });
    });
  });
  onTestFinished(() => killIfThere(served.pid));
  expect((await fetch(new URL("/health", served.url))).status).toBe(200);
  child.kill("SIGTERM");
  await expect.poll(() => isThere(served.pid), { timeout: 15_000 }).toBe(false);
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process without a waiting parent stays listed after its end.
    return !/^\d+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function killIfThere(pid: number): void {
  if (isThere(pid)) process.kill(pid, "SIGKILL");
}

test("a Node that is too old is named in one line", async () => {
  const cwd = await makeProject({});
  const old = `Object.defineProperty(process, "version", { value: "v18.20.8" });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(old)}`;
  expect(await runCodemode(["lock"], { cwd, env: { NODE_OPTIONS } })).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "error: codemode needs Node 20.20 or later; this is Node 18.20.8.\nhint: Install a later Node, and start codemode with that.\n",
  });
});

test.each([
  ["v18.20.8", false],
  ["v20.10.0", false],
  ["v20.19.9", false],
  ["v20.20.0", true],
  ["v22.0.0", true],
  ["v100.1.0", true],
])("Node %s is supported: %s", (version, isSupported) => {
  expect(explainOldNode(version) === undefined).toBe(isSupported);
});

test.each([
  ["bun", "codemode does not run on Bun.", "Start it with Node 20.20 or later."],
  ["deno", "codemode does not run on Deno.", "Start it with Node 20.20 or later."],
  [
    "pnp",
    "codemode does not run under Yarn Plug'n'Play.",
    "Set `nodeLinker: node-modules` in .yarnrc.yml, and run `yarn install`.",
  ],
])("what is no Node with packages in folders is named in one line: %s", async (name, cause, hint) => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const versions = `Object.defineProperty(process, "versions", { value: { ...process.versions, ${name}: "3" } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(versions)}`;
  const stderr = `error: ${cause}\nhint: ${hint}\n`;
  expect(await runCodemode(["lock"], { cwd, env: { NODE_OPTIONS } })).toEqual({ code: 2, stdout: "", stderr });
  const program = `import { openProject } from ${JSON.stringify(resolve("dist/library/index.js"))};
    await openProject().catch(({ code, message, hint }) => console.log(JSON.stringify([code, message, hint])));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    ...{ cwd, env: { ...process.env, NODE_OPTIONS } },
  });
  expect(JSON.parse(stdout)).toEqual(["NODE_REQUIRED", cause, hint]);
});

test("the oldest Node is the one of the packages, and an old one can read what it loads before it is refused", () => {
  const oldest = `>=${OLDEST_NODE.major}.${OLDEST_NODE.minor}.${OLDEST_NODE.patch}`;
  expect([packageJson.engines.node, runtimePackage.engines.node]).toEqual([oldest, oldest]);
  for (const file of ["dist/cli/main.js", "dist/cli/start-command.js", "dist/schemas/oldest-node.js"]) {
    const { body } = parse(readFileSync(file, "utf8"), {
      ecmaVersion: 2022,
      sourceType: "module",
      allowHashBang: true,
    });
    const imported = body.flatMap((node) => (node.type === "ImportDeclaration" ? [String(node.source.value)] : []));
    expect(
      imported.filter((id) => !["node:fs", "./start-command.js", "../schemas/oldest-node.js"].includes(id)),
    ).toEqual([]);
    expect(packageJson.files).toContain(file);
  }
  parse(readFileSync(packageJson.bin.codemode, "utf8"), {
    ecmaVersion: 2022,
    sourceType: "script",
    allowHashBang: true,
  });
});
