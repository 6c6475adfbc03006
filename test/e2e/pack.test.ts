import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runCli } from "../../cli/run-cli.ts";
import { parseTarball } from "../../extras/publish/packed-package.ts";
import { formatLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { findNode, NODE_VERSIONS } from "../node-versions/find-node.ts";
import { lockedServer, type RawTool } from "../templates/lockfile-of.ts";
import { type Finished, makeProject } from "./run-codemode.ts";

const ECHO: RawTool = {
  name: "echo",
  description: "Says it again",
  inputSchema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
};
const PING: RawTool = { name: "ping", inputSchema: { type: "object" } };

/** A locked project of servers that never start. */
async function makeGeneratedProject(servers: Record<string, readonly RawTool[]>, more: Record<string, unknown> = {}) {
  const mcpServers = Object.fromEntries(Object.keys(servers).map((id) => [id, { command: "server" }]));
  return makeProject({ "codemode.config.json": { mcpServers }, "codemode.lock.json": lockOf(servers), ...more });
}

function lockOf(servers: Record<string, readonly RawTool[]>): string {
  const entries = Object.entries(servers).map(([id, tools]) => [id, lockedServer(id, tools)] as const);
  return formatLockfile({ servers: new Map(entries) } satisfies Lockfile);
}

/** The command without a process of its own, which takes a second each time. */
async function pack(cwd: string, ...args: string[]): Promise<Finished> {
  const finished: Finished = { code: null, stdout: "", stderr: "" };
  finished.code = await runCli(["pack", "--cwd", cwd, ...args], {
    result: (text) => (finished.stdout += `${text}\n`),
    note: (text) => (finished.stderr += `${text}\n`),
  });
  return finished;
}

async function readPacked(cwd: string, file: string): Promise<Map<string, string>> {
  return parseTarball(await readFile(join(cwd, file)));
}

test("each server becomes a tarball that says what was made and why", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO], other: [PING] });
  const packed = await pack(cwd);
  expect(packed.stdout).toBe("./packages/codemode-demo-1.0.0.tgz\n./packages/codemode-other-1.0.0.tgz\n");
  expect(packed.stderr).toBe(
    "codemode-demo 1.0.0: the first release, with the server's version\n" +
      "codemode-other 1.0.0: the first release, with the server's version\n",
  );
  expect(packed.code).toBe(0);
});

test("with nothing new nothing is written, and what changed decides the next version", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  await pack(cwd);
  const again = await pack(cwd);
  expect(again).toEqual({
    code: 0,
    stdout: "",
    stderr: "codemode-demo: no changes since 1.0.0; nothing was written\n",
  });

  const steps: [RawTool[], string, string][] = [
    [[{ ...ECHO, description: "Says it twice" }], "1.0.1", "only texts have changed (tools: 1 changed)"],
    [[ECHO, PING], "1.1.0", "existing scripts still work (tools: 1 added, 1 changed)"],
    [[PING], "2.0.0", "existing scripts may fail (tools: 1 removed)"],
  ];
  let previous = "1.0.0";
  for (const [tools, version, reason] of steps) {
    await writeFile(join(cwd, "codemode.lock.json"), lockOf({ demo: tools }));
    const next = await pack(cwd);
    expect(next.stderr).toBe(`codemode-demo ${previous} → ${version}: ${reason}\n`);
    expect(next.stdout).toBe(`./packages/codemode-demo-${version}.tgz\n`);
    previous = version;
  }
  const files = await readPacked(cwd, "packages/codemode-demo-2.0.0.tgz");
  expect(files.get("CHANGELOG.md")).toBe(`# Changelog

## 2.0.0

- Removed: \`echo\`

| change | what | where in the lock entry |
| --- | --- | --- |
| breaking | \`tool "echo" removed\` | \`/tools/echo\` |

## 1.1.0

- Added: \`ping\`
- Changed: \`echo\`

| change | what | where in the lock entry |
| --- | --- | --- |
| compatible | \`tool "ping" added: @destructive @openWorld\` | \`/tools/ping\` |
| text only | \`description changed\` | \`/tools/echo/description\` |

## 1.0.1

- Changed: \`echo\`

| change | what | where in the lock entry |
| --- | --- | --- |
| text only | \`description changed\` | \`/tools/echo/description\` |

## 1.0.0

The first release: 1 tool.
`);
});

test("the version follows what callers and policies see", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  await pack(cwd);
  const typed = { ...ECHO, outputSchema: { type: "object", properties: { said: { type: "string" } } } };
  const writing = { ...typed, annotations: { readOnlyHint: false } };
  const named = {
    ...writing,
    inputSchema: { $schema: "http://json-schema.org/draft-07/schema#", ...(ECHO.inputSchema as object) },
  };
  const steps: [RawTool, string, string][] = [
    [typed, "2.0.0", "existing scripts may fail (tools: 1 changed)"],
    [writing, "2.1.0", "calls are unchanged, but policies may decide differently (tools: 1 changed)"],
    [named, "2.1.1", "only texts have changed (tools: 1 changed)"],
  ];
  let previous = "1.0.0";
  for (const [tool, version, reason] of steps) {
    await writeFile(join(cwd, "codemode.lock.json"), lockOf({ demo: [tool] }));
    expect((await pack(cwd)).stderr).toBe(`codemode-demo ${previous} → ${version}: ${reason}\n`);
    previous = version;
  }
  const changelog = (await readPacked(cwd, "packages/codemode-demo-2.1.1.tgz")).get("CHANGELOG.md");
  expect(changelog).toContain("| breaking | `output schema added: the binding returns another value` |");
  expect(changelog).toContain("| policy | `no longer @readOnly, now @destructive` | `/tools/echo/annotations` |");
  expect(changelog).toContain("| text only | `$schema changed` | `/tools/echo/inputSchema/$schema` |");
});

test.each([
  ["a command", { demo: { command: "server", args: ["--new"] } }, "demo (changed in the configuration: args)"],
  ["a transport", { demo: { url: "https://host.example/mcp" } }, "demo (changed in the configuration: transport,"],
  [
    "a variable's name",
    { demo: { command: "server", env: { TOKEN: "${TOKEN}" } } },
    "demo (changed in the configuration: env)",
  ],
  ["the tools", { demo: { command: "server", tools: { exclude: ["e*"] } } }, 'demo ("tools" leaves out echo)'],
  ["a new server", { demo: { command: "server" }, more: { command: "x" } }, "more (it is not in the lockfile)"],
  ["a lost server", { more: { command: "x" } }, "demo (it is not in the configuration)"],
])("%s that was edited since is not packed", async (_, mcpServers, problem) => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers }));
  const packed = await pack(cwd);
  expect(packed).toMatchObject({ code: 3, stdout: "" });
  expect(packed.stderr).toContain(`error: The lockfile is out of date with the configuration: `);
  expect(packed.stderr).toContain(problem);
  expect(packed.stderr).toMatch(/\nhint: Run `codemode lock [a-z ]+`/);
  expect(await readdir(cwd)).not.toContain("packages");
});

test("another value of a variable, and a server that is not packed, are no reason", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  const mcpServers = { demo: { command: "server", timeoutMs: 1 }, more: { command: "x" } };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers }));
  expect(await pack(cwd, "demo")).toMatchObject({ code: 0 });
});

test("an output schema of the configuration that was edited since is not packed", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  const config = { mcpServers: { demo: { command: "server" } }, outputs: { "demo/echo": { type: "string" } } };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify(config));
  const packed = await pack(cwd);
  expect(packed.code).toBe(3);
  expect(packed.stderr).toContain('demo ("outputs" has another schema for echo)');
});

test("the same server in other files is a patch", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  await pack(cwd);
  await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "home", license: "MIT", author: "Acme" }));
  const next = await pack(cwd);
  expect(next.stderr).toContain("1.0.0 → 1.0.1: the tools are the same, but codemode now generates different files");
  const files = await readPacked(cwd, "packages/codemode-demo-1.0.1.tgz");
  expect(JSON.parse(files.get("package.json") ?? "")).toMatchObject({ license: "MIT", author: "Acme" });
  expect(files.get("CHANGELOG.md")).toContain("The tools are the same, but codemode now generates different files.");
});

test("the release before can come from anywhere, and a version from the user", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO] });
  await pack(cwd, "demo", "--out", "elsewhere", "--as", "3.0.0-beta.1");
  const before = "elsewhere/codemode-demo-3.0.0-beta.1.tgz";
  const low = await pack(cwd, "demo", "--previous", before, "--as", "2.9.9");
  expect(low).toMatchObject({ code: 2, stdout: "" });
  expect(low.stderr).toBe("error: --as 2.9.9: 3.0.0-beta.1 is already packed.\nhint: Choose a higher version.\n");
  const chosen = await pack(cwd, "demo", "--previous", before, "--as=3.0.0");
  expect(chosen).toMatchObject({ code: 0, stdout: "./packages/codemode-demo-3.0.0.tgz\n" });
  expect(chosen.stderr).toContain("as you chose; nothing has changed");
});

test("names are npm's: given, scoped or made of the server's", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO], other: [PING] });
  expect((await pack(cwd, "--scope", "@acme")).stdout).toBe(
    "./packages/acme-demo-tools-1.0.0.tgz\n./packages/acme-other-tools-1.0.0.tgz\n",
  );
  expect((await pack(cwd, "demo", "--name", "@acme/echoes")).stdout).toBe("./packages/acme-echoes-1.0.0.tgz\n");
  expect((await pack(cwd, "demo", "--name", "echoes", "--scope", "@x")).stdout).toBe("./packages/x-echoes-1.0.0.tgz\n");
  for (const [args, line] of [
    [["--name", "both"], "--name: it is for one server; name one"],
    [["demo", "--name", "Echo"], '--name: npm does not accept "Echo" as a name'],
    [["demo", "--name", "../echo"], '--name: npm does not accept "../echo" as a name'],
    [["demo", "--name", "@a/b", "--scope", "@acme"], "--name: it already has a scope"],
    [["demo", "--scope", "acme"], "--scope: it looks like @acme, in small letters"],
    [["demo", "--as", "next"], '--as: "next" is not a semantic version such as 1.2.3'],
    [["absent"], 'No server "absent" is configured.'],
  ] as const) {
    const refused = await pack(cwd, ...args);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(`error: ${line}`);
  }
});

test("a tarball that is none, or another server's, is not taken for the release before", async () => {
  const cwd = await makeGeneratedProject({ demo: [ECHO], other: [PING] });
  await pack(cwd);
  const foreign = await pack(cwd, "demo", "--previous", "packages/codemode-other-1.0.0.tgz");
  expect(foreign.stderr).toContain('error: codemode-other 1.0.0: it is the package of the server "other"');
  await writeFile(join(cwd, "packages/codemode-demo-9.9.9.tgz"), "half a file");
  const broken = await pack(cwd, "demo");
  expect(broken).toMatchObject({ code: 2, stdout: "" });
  expect(broken.stderr).toContain("error: codemode-demo-9.9.9.tgz: it is not the tarball of a package");
  expect(broken.stderr.trim().split("\n")).toHaveLength(2);
});

test("without a lockfile a frozen pack refuses", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { demo: { command: "server" } } } });
  expect(await pack(cwd, "--frozen")).toMatchObject({ code: 3, stdout: "" });
});

test("places of this machine that a package would tell are named", async () => {
  const demo = { command: "/opt/server", args: ["--root", "/srv/data"] };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { demo } } });
  const source = { transport: "stdio" as const, command: "/opt/server", args: ["--root", "/srv/data"], env: [] };
  const server = { ...lockedServer("demo", [PING]), source };
  await writeFile(join(cwd, "codemode.lock.json"), formatLockfile({ servers: new Map([["demo", server]]) }));
  const packed = await pack(cwd);
  expect(packed.stderr).toContain("its lock entry contains paths of this machine: /opt/server, /srv/data");
});

test("the same bytes come out of other folders, time zones, locales and Node versions", async () => {
  const original = await makeGeneratedProject({ demo: [ECHO], other: [PING] });
  const places = [
    { folder: "one", env: { TZ: "UTC", LANG: "C" } },
    { folder: "another place", env: { TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } },
  ];
  const seen = new Set<string>();
  for (const { folder, env } of places) {
    const cwd = join(await makeProject({}), folder);
    await mkdir(cwd);
    await cp(original, cwd, { recursive: true });
    for (const major of NODE_VERSIONS) {
      await rm(join(cwd, "packages"), { recursive: true, force: true });
      await promisify(execFile)(findNode(major), [resolve("dist/cli/main.js"), "pack"], {
        cwd,
        env: { ...process.env, ...env },
      });
      const tarballs = (await readdir(join(cwd, "packages"))).toSorted();
      const bytes = await Promise.all(tarballs.map((file) => readFile(join(cwd, "packages", file), "base64")));
      seen.add(JSON.stringify([tarballs, bytes]));
    }
  }
  expect(seen.size).toBe(1);
});
