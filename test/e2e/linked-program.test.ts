import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeTestFolder } from "../make-test-folder.ts";
import { makeProject, SERVERS, STAND_INS } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

const run = promisify(execFile);

/** What npm links as `codemode`. */
const COMMAND = packageJson.bin.codemode;

const START =
  "const [, program, ...args] = process.argv; process.exitCode = await (await import(program)).runCli(args);";

/** Runs a command by the program in dist/program, however old that is. */
const runLinked = (args: string[], cwd: string) =>
  run(
    process.execPath,
    ["--input-type=module", "-e", START, pathToFileURL(resolve("dist/program/run-cli.js")).href, ...args],
    {
      cwd,
    },
  );

test("the linked program locks, generates, bundles and runs", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything: SERVERS.everything } },
    "sum.ts": `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 2, b: 3 });`,
  });
  expect((await runLinked(["run", "sum.ts"], cwd)).stdout).toContain("The sum of 2 and 3 is 5.");
  expect((await runLinked(["check", "sum.ts"], cwd)).stdout).toContain("get-sum");
});

test("a script that ran before is not bundled again, and is checked as the first time", async () => {
  const settings = { mcpServers: STAND_INS };
  const cwd = await makeProject({
    "codemode.config.json": settings,
    "sum.ts": `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 2, b: 3 });`,
  });
  vi.stubEnv("XDG_CACHE_HOME", join(cwd, "cache"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const first = await runLinked(["run", "sum.ts"], cwd);
  const [name = ""] = await readdir(join(cwd, "cache/codemode/bundles"));
  const file = join(cwd, "cache/codemode/bundles", name);
  const before = await stat(file);
  expect((await runLinked(["run", "sum.ts"], cwd)).stdout).toBe(first.stdout);
  const after = await stat(file);
  expect(after.ino).toBe(before.ino);
  expect(after.mtimeMs).toBeGreaterThan(before.mtimeMs);
  const denied = { ...settings, policy: { deny: ["everything/get-sum"] } };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify(denied));
  await expect(runLinked(["run", "sum.ts"], cwd)).rejects.toMatchObject({
    stderr: expect.stringContaining("get-sum") as string,
  });
});

/** Prints the help from one of the two forms of the program; a process of the linked one keeps what it has compiled. */
async function printHelp(program: "dist/program/run-cli.js" | "dist/cli/run-cli.js", home = ""): Promise<string> {
  const args = ["--input-type=module", "-e", START, pathToFileURL(resolve(program)).href, "--help"];
  const { stdout, stderr } = await run(process.execPath, args, { env: { ...process.env, XDG_CACHE_HOME: home } });
  return stdout + stderr;
}

/** A test's own place for compiled code. */
async function startWithCache(makeHome: (home: string) => Promise<unknown> = (home) => mkdir(home)) {
  const home = join(await makeProject({}), "cache");
  await makeHome(home);
  const files = async (): Promise<string[]> => {
    const entries = await readdir(home, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  return { home, help: () => printHelp("dist/program/run-cli.js", home), files };
}

testOnPosix("modes of files")(
  "the second process runs from compiled code, which only its user can have written",
  async () => {
    const { home, help, files } = await startWithCache();
    const first = await help();
    expect(first).toBe(await printHelp("dist/cli/run-cli.js"));
    const written = await files();
    expect(written.length).toBeGreaterThan(0);
    for (const file of written) expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const name of ["codemode", `codemode/${(await readdir(join(home, "codemode")))[0]}`])
      expect((await stat(join(home, name))).mode & 0o777).toBe(0o700);
    const timesOf = async () => Promise.all(written.map(async (file) => (await stat(file)).mtimeMs));
    const before = await timesOf();
    expect(await help()).toBe(first);
    expect(await timesOf()).toEqual(before);
  },
);

const DAMAGES: Record<string, (content: Buffer) => Buffer> = {
  "cut off": (content) => content.subarray(0, content.length / 2),
  "of something else": () => Buffer.from("{}"),
  empty: () => Buffer.alloc(0),
  "damaged in the middle": (content) => content.fill(0x5a, content.length / 2, content.length / 2 + 100),
};

test("compiled code that is damaged is compiled again", async () => {
  const { help, files } = await startWithCache();
  const first = await help();
  const written = await files();
  for (const [what, damage] of Object.entries(DAMAGES)) {
    const sound = await Promise.all(written.map((file) => readFile(file)));
    for (const [index, file] of written.entries()) await writeFile(file, damage(Buffer.from(sound[index] as Buffer)));
    const damaged = await Promise.all(written.map((file) => readFile(file)));
    expect(await help(), what).toBe(first);
    for (const [index, file] of written.entries()) expect(await readFile(file), what).not.toEqual(damaged[index]);
  }
});

testOnPosix("modes of files")(
  "compiled code that others can write, or that lies where they can, is not used",
  async () => {
    const { home, help, files } = await startWithCache();
    const first = await help();
    for (const file of await files()) await chmod(file, 0o666);
    expect(await help()).toBe(first);
    const written = await files();
    for (const file of written) expect((await stat(file)).mode & 0o777).toBe(0o600);

    for (const file of written) await writeFile(file, "");
    await chmod(join(home, "codemode"), 0o755);
    expect(await help()).toBe(first);
    // Neither used nor written.
    for (const file of written) expect((await stat(file)).size).toBe(0);
  },
);

/** Compiled code of a package's file has the digest of its path for a name. */
const OF_PACKAGE = /(?:^|[\\/])[0-9a-f]{16}\.js$/;

test("the compilers that print packages run from compiled code too", async () => {
  const { home, files } = await startWithCache();
  const args = ["--input-type=module", "-e", START, pathToFileURL(resolve("dist/program/run-cli.js")).href];
  const printTypes = async (): Promise<string> =>
    (await run(process.execPath, [...args, "types", "memory"], { env: { ...process.env, XDG_CACHE_HOME: home } }))
      .stdout;
  const compilers = async (): Promise<Map<string, number>> => {
    const kept = await Promise.all((await files()).map(async (file) => [file, await stat(file)] as const));
    return new Map(kept.filter(([file]) => OF_PACKAGE.test(file)).map(([file, { mtimeMs }]) => [file, mtimeMs]));
  };
  const first = await printTypes();
  const kept = await compilers();
  expect(kept.size).toBeGreaterThanOrEqual(3);
  expect(await printTypes()).toBe(first);
  expect(await compilers()).toEqual(kept);
});

test("without a place for compiled code everything works", async () => {
  const { help, files } = await startWithCache((home) => writeFile(home, "no folder"));
  expect(await help()).toBe(await printHelp("dist/cli/run-cli.js"));
  expect(await files()).toEqual([]);
});

/** A program whose two forms say which one they are; times in seconds. */
async function makeInstallation(writtenAt: { linked?: number; compiler?: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (path: string, text: string, seconds: number | undefined): Promise<void> => {
    if (seconds === undefined) return;
    const file = join(folder, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
    await utimes(file, seconds, seconds);
  };
  const says = (word: string): string => `export const runCli = async () => { console.log("${word}"); return 0; };`;
  await write("package.json", `{ "type": "module" }`, 1);
  await write("dist/cli/run-cli.js", says("compiled"), 1);
  await write("dist/program/run-cli.js", says("linked"), writtenAt.linked);
  await write("dist/schemas/tsconfig.tsbuildinfo", "{}", writtenAt.compiler);
  for (const path of ["dist/cli/main.js", "dist/cli/start-command.js", "dist/schemas/oldest-node.js"])
    await cp(resolve(path), join(folder, path));
  return (await run(process.execPath, [join(folder, "dist/cli/main.js")])).stdout.trim();
}

test("the linked program is taken where it is, unless the compiler has written since", async () => {
  expect(await makeInstallation({ linked: 100 })).toBe("linked");
  expect(await makeInstallation({ linked: 100, compiler: 50 })).toBe("linked");
  expect(await makeInstallation({ linked: 100, compiler: 150 })).toBe("compiled");
  expect(await makeInstallation({ compiler: 50 })).toBe("compiled");
});

test("the installed command prints what the module prints, and needs no part of Node that loads ES modules", async () => {
  const folder = await makeTestFolder();
  const listLoaded = join(folder, "list-loaded.cjs");
  const lists = `console.error(process.moduleLoadList.filter((name) => name.endsWith("esm/module_job")).length)`;
  await writeFile(listLoaded, `process.on("exit", () => ${lists});`);
  const help = (file: string) => run(process.execPath, ["--require", listLoaded, resolve(file), "run", "--help"]);
  const { stdout } = await help("dist/cli/main.js");
  expect(stdout).toContain("codemode run");
  expect(await help(COMMAND)).toEqual({ stdout, stderr: "0\n" });
});

test("install and its skill work from a path with a blank, signs of URLs and letters of other scripts", async () => {
  const root = await makeProject({});
  const own = join(root, "a b#c%20 größe 日本", "node_modules", "codemode");
  await cp(resolve("dist"), join(own, "dist"), { recursive: true });
  await cp(resolve("package.json"), join(own, "package.json"));
  await symlink(resolve("node_modules"), join(own, "node_modules"));
  const cwd = join(own, "..", "..");
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: STAND_INS }));
  const linked = (args: string[]) => {
    const program = pathToFileURL(join(own, "dist/program/run-cli.js")).href;
    const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), HOME: root, CODEMODE_TRUST: "1" };
    return run(process.execPath, ["--input-type=module", "-e", START, program, ...args], { cwd, env });
  };
  expect((await linked(["install", "cursor"])).stderr).toContain(`Wrote "codemode" to`);
  await linked(["install", "windsurf", "--user"]);
  const entry = JSON.parse(await readFile(join(root, ".codeium/windsurf/mcp_config.json"), "utf8")) as {
    mcpServers: { codemode: { args: string[] } };
  };
  expect(entry.mcpServers.codemode.args[0]).toBe(join(cwd, "node_modules/codemode/dist/cli/main.js"));
  // The entry is recognized as our own.
  expect((await linked(["uninstall", "windsurf", "--user"])).stderr).toContain("Took");
  await linked(["lock"]);
  expect((await linked(["install", "claude-code", "--skill"])).stderr).toContain("Wrote the skill to");
  expect((await linked(["run", "--eval", "export default 6 * 7"])).stdout).toBe("42\n");
});

testOnPosix("the mode of programs")("the build makes the commands executable, for links to a clone", async () => {
  for (const file of ["dist/cli/main.js", COMMAND]) expect((await stat(file)).mode & 0o111).toBe(0o111);
});
