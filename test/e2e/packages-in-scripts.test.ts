import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { formatLockfile, parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { printManifest } from "../../extras/publish/package/print-manifest.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { connectLegacy } from "./serve-clients.ts";

interface ProjectWishes {
  config?: object;
  /** Files by path. */
  files?: Record<string, string>;
}

/** A project with date-fns in its `node_modules`, as a package manager links it. */
async function makeProjectWithPackages({ config = {}, files = {} }: ProjectWishes): Promise<string> {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {}, ...config } });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  await mkdir(join(cwd, "node_modules"), { recursive: true });
  await symlink(await realpath(resolve("node_modules/date-fns")), join(cwd, "node_modules/date-fns"));
  return cwd;
}

async function run(cwd: string, args: string[] = []): Promise<RunAnswer & { exitCode: number | null }> {
  const { stdout, code: exitCode } = await typeCommand(["run", "script.ts", "--json", ...args], { cwd });
  return { ...(JSON.parse(stdout) as RunAnswer), exitCode };
}

const WEEK = `import { addDays, formatISO } from "date-fns";
export default formatISO(addDays(new Date(2024, 1, 26), 7), { representation: "date" });`;
const ALLOWED = { bundle: { allow: ["date-fns"] } };

test("an allowed package runs in the sandbox", async () => {
  const cwd = await makeProjectWithPackages({ config: ALLOWED, files: { "script.ts": WEEK } });
  expect(await run(cwd)).toMatchObject({ result: "2024-03-04", diagnostics: [], exitCode: 0 });
});

test("the same package is refused where the configuration does not name it, with the line to add", async () => {
  const cwd = await makeProjectWithPackages({ files: { "script.ts": WEEK } });
  expect(await run(cwd)).toMatchObject({
    result: null,
    exitCode: 1,
    diagnostics: [
      {
        code: "IMPORT_FAILURE",
        path: "script.ts:1:36",
        hint: 'If it is pure JavaScript, add "date-fns" to "bundle": { "allow": […] } in the configuration.',
      },
    ],
  });
});

test("agents import allowed packages too", async () => {
  const cwd = await makeProjectWithPackages({ config: ALLOWED });
  const client = await connectLegacy(cwd);
  const { structuredContent } = await client.callTool({ name: "codemode.run", arguments: { code: WEEK } });
  expect(structuredContent).toMatchObject({ result: "2024-03-04", diagnostics: [] });
});

test("a package that changes built-in objects is named by the diagnostic", async () => {
  const patches = { name: "patches", version: "1.0.0", type: "module" };
  const cwd = await makeProjectWithPackages({
    config: { bundle: { allow: ["patches"] } },
    files: {
      "node_modules/patches/package.json": JSON.stringify(patches),
      "node_modules/patches/index.js":
        "Array.prototype.last = function () { return this.at(-1); };\nexport const a = 1;\n",
      "script.ts": 'import { a } from "patches";\nexport default a;\n',
    },
  });
  expect(await run(cwd)).toMatchObject({
    result: null,
    diagnostics: [
      {
        code: "UNCAUGHT_EXCEPTION",
        hint: 'The package "patches" changes built-in objects or globals, which are frozen in the sandbox: use another one.',
      },
    ],
  });
});

test("an error that a package throws names it, and the place in the script", async () => {
  const throws = { name: "@some/throws", version: "1.0.0", type: "module" };
  const cwd = await makeProjectWithPackages({
    config: { bundle: { allow: ["@some/throws"] } },
    files: {
      "node_modules/@some/throws/package.json": JSON.stringify(throws),
      "node_modules/@some/throws/index.js": 'export function load() { throw new Error("no data"); }\n',
      "script.ts": 'import { load } from "@some/throws";\nload();\n',
    },
  });
  const { diagnostics } = await run(cwd);
  expect(diagnostics).toMatchObject([
    { message: "Error: no data", path: "script.ts:2:1", hint: expect.stringContaining('the package "@some/throws"') },
  ]);
});

test("a pinned bundle holds the package and says its version, and runs without it", async () => {
  const cwd = await makeProjectWithPackages({ config: ALLOWED, files: { "script.ts": WEEK } });
  expect(await typeCommand(["bundle", "script.ts", "-o", "week.json"], { cwd })).toMatchObject({ code: 0 });
  const pinned = parsePinnedBundle(await readFile(join(cwd, "week.json"), "utf8"), "week.json");
  const manifest = await readFile("node_modules/date-fns/package.json", "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  expect(pinned.bundle.packages).toEqual([{ name: "date-fns", version }]);
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: {} }));
  expect(await typeCommand(["run", "week.json"], { cwd })).toMatchObject({ code: 0, stdout: '"2024-03-04"\n' });
});

test("a server package calls the server of the project, and is type-checked as that", async () => {
  const cwd = await makeProjectWithPackages({ config: { mcpServers: { calculator: STAND_INS.everything } } });
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  const { servers } = parseLockfile(await readFile(join(cwd, "codemode.lock.json"), "utf8"), "codemode.lock.json");
  const locked = servers.get("calculator");
  if (locked === undefined) throw new Error("The server was not locked.");
  const published = { ...locked, id: "everything" };
  const folder = join(cwd, "node_modules/@acme/everything-tools");
  await mkdir(folder, { recursive: true });
  const identity = { name: "@acme/everything-tools", version: "1.0.0", inherited: {} };
  await writeFile(join(folder, "package.json"), printManifest(identity, published));
  const lock = formatLockfile({ servers: new Map([["everything", published]]) });
  await writeFile(join(folder, "codemode.lock.json"), lock);

  const script = 'import { get_sum } from "@acme/everything-tools";\nexport default await get_sum({ a: 1, b: 2 });\n';
  await writeFile(join(cwd, "script.ts"), script);
  expect(await run(cwd)).toMatchObject({
    result: "The sum of 1 and 2 is 3.",
    toolTrace: [{ serverId: "calculator", toolName: "get-sum", ok: true }],
    diagnostics: [],
  });

  await writeFile(join(cwd, "script.ts"), script.replace("a: 1", 'a: "1"'));
  const checked = await typeCommand(["check", "script.ts"], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(/script\.ts:2:\d+ TYPE_ERROR/);
});
