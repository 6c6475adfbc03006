import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const run = promisify(execFile);

const SCRIPT = 'import { echo } from "@codemode/servers/everything";\nexport default await echo({ message: "hi" });\n';
const copyProject = shareProject({
  "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } },
  "open-tasks.ts": SCRIPT,
});

/** The commands that the page on CI gives for each change and on a schedule, without `npx codemode`. */
const CI_LINES = [...(await readFile("docs/ci.md", "utf8")).matchAll(/^npx codemode (.*)/gm)].map(([, line = ""]) =>
  line.replace(/ +#.*/, "").split(" "),
);

test("the page on CI has lines for each change and for a schedule", () => {
  const commands = CI_LINES.map(([command]) => command);
  expect(commands).toEqual(["bundle", "generate", "check", "bundle", "run", "lock", "diff"]);
});

/** Commits a project and clones it, as CI does. */
async function cloneOf(project: string): Promise<string> {
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: project });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "x");
  const clone = join(await makeProject({}), "clone");
  await run("git", ["clone", "--quiet", project, clone]);
  return clone;
}

describe.each([
  ["not committed", "node_modules/\ngenerated/\n"],
  ["committed", "node_modules/\n"],
])("in a fresh clone where the package is %s", (_, ignored) => {
  test.each([
    ["for each change", CI_LINES.slice(0, 4)],
    ["that run and look for drift", CI_LINES.slice(4)],
  ])("the lines %s pass", async (_, lines) => {
    const project = await copyProject({ ".gitignore": ignored });
    await typeCommand(["bundle", "open-tasks.ts", "-o", "open-tasks.json"], { cwd: project });
    const clone = await cloneOf(project);
    for (const line of lines) {
      const finished = await typeCommand(line, { cwd: clone });
      expect(finished.code, `${line.join(" ")}: ${finished.stderr}`).toBe(0);
    }
    const { stdout } = await run("git", ["status", "--porcelain"], { cwd: clone });
    expect(stdout).toBe("");
  });
});

test("a committed package that does not follow from the lockfile fails all of them that look at it", async () => {
  const project = await copyProject({ ".gitignore": "node_modules/\n" });
  const seal = join(project, "generated/everything/tools.json");
  await writeFile(
    seal,
    (await readFile(seal, "utf8")).replace(/"serverIntegrity": "[^"]+"/, '"serverIntegrity": "old"'),
  );
  const clone = await cloneOf(project);
  for (const line of [
    ["generate", "--check"],
    ["check", "open-tasks.ts"],
    ["run", "open-tasks.ts", "--frozen"],
  ]) {
    const finished = await typeCommand(line, { cwd: clone });
    expect(finished, line.join(" ")).toMatchObject({ code: 3, stderr: expect.stringContaining("out of date") });
  }
});

/** What npm takes away, and editors need. */
const LINKED = ["servers", "errors", "discovery", "sandbox"];

function findMissing(cwd: string): string[] {
  return LINKED.filter((name) => !existsSync(join(cwd, "node_modules/@codemode", name, "package.json")));
}

async function npmInstall(cwd: string, ...args: string[]): Promise<void> {
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...args], { cwd });
}

test("what an npm install takes out of node_modules is put back by the next command, or by npm itself", async () => {
  const cwd = await copyProject({
    "package.json": { name: "team", private: true },
    "dep/package.json": { name: "dep" },
  });
  expect(findMissing(cwd)).toEqual([]);
  for (const command of [
    ["run", "open-tasks.ts", "--frozen"],
    ["check", "open-tasks.ts"],
  ]) {
    await npmInstall(cwd, "./dep");
    expect(findMissing(cwd), "npm no longer removes what it does not know").toEqual(LINKED);
    const finished = await typeCommand(command, { cwd });
    expect(finished.code, `${command.join(" ")}: ${finished.stdout} ${finished.stderr}`).toBe(0);
    expect(findMissing(cwd), command.join(" ")).toEqual([]);
  }
  const postinstall = `"${process.execPath}" "${resolve("dist/cli/main.js")}" generate`;
  await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "team", private: true, scripts: { postinstall } }));
  await npmInstall(cwd);
  expect(findMissing(cwd)).toEqual([]);
});

test("where node_modules cannot be written, a script runs all the same", async () => {
  const cwd = await copyProject();
  await run("rm", ["-r", join(cwd, "node_modules")]);
  await writeFile(join(cwd, "node_modules"), "no folder");
  expect(await typeCommand(["run", "open-tasks.ts"], { cwd })).toMatchObject({ code: 0, stdout: '"Echo: hi"\n' });
});

test("init adds what .gitignore lacks and changes no line that is there", async () => {
  const home = await makeProject({});
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), APPDATA: home };
  const fresh = await makeProject({});
  const wrote = await typeCommand(["init"], { cwd: fresh, env });
  expect(wrote.stderr).toContain("Wrote .gitignore: node_modules/, generated/, .playwright-mcp/, *.codemode-backup");
  expect(await readFile(join(fresh, ".gitignore"), "utf8")).toBe(
    "node_modules/\ngenerated/\n.playwright-mcp/\n*.codemode-backup\n",
  );

  // Its last line has no end, and one entry says the opposite on purpose.
  const cwd = await makeProject({ ".gitignore": "# ours\n/node_modules\n!generated/" });
  expect((await typeCommand(["init"], { cwd, env })).stderr).toContain(
    "Added to .gitignore: .playwright-mcp/, *.codemode-backup",
  );
  expect(await readFile(join(cwd, ".gitignore"), "utf8")).toBe(
    "# ours\n/node_modules\n!generated/\n.playwright-mcp/\n*.codemode-backup\n",
  );
});

test("a package that was not written to its end is finished by the next command", async () => {
  const cwd = await copyProject();
  await run("rm", ["-r", join(cwd, "generated"), join(cwd, "node_modules")]);
  // No file may be larger than this: some are, and so writing stops half way as on a full disk.
  const limited = `ulimit -f 3; exec "${process.execPath}" "${resolve("dist/cli/main.js")}" generate`;
  const failed = await run("bash", ["-c", limited], { cwd }).catch((error: { code: number; stderr: string }) => error);
  expect(failed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Cannot access .*: EFBIG\nhint: .*run the same command again/),
  });
  expect(existsSync(join(cwd, "generated/package.json"))).toBe(true);
  expect(existsSync(join(cwd, "generated/everything/tools.json"))).toBe(false);
  expect(await typeCommand(["run", "open-tasks.ts"], { cwd })).toMatchObject({ code: 0, stdout: '"Echo: hi"\n' });
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });
});

test("a process that was killed while it wrote the first file of a package blocks no other", async () => {
  const cwd = await copyProject();
  await run("rm", ["-r", join(cwd, "generated")]);
  await mkdir(join(cwd, "generated"));
  await writeFile(join(cwd, "generated/package.json.0123456789ab.tmp"), '{"name"');
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });
  // A folder with files of another origin is refused as before.
  const other = await makeProject({ "codemode.config.json": { mcpServers: {}, out: "mine" } });
  await mkdir(join(other, "mine"));
  await writeFile(join(other, "mine/notes.tmp"), "");
  expect(await typeCommand(["generate"], { cwd: other })).toMatchObject({ code: 2 });
});
