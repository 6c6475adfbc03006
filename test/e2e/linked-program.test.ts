import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { makeProject, SERVERS } from "./run-codemode.ts";

const run = promisify(execFile);

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

test("the linked program explains a mistake in the configuration", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {}, limts: {} } });
  await expect(runLinked(["tools"], cwd)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown key "limts"') as string,
  });
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
  for (const name of ["main.js", "find-program.js"])
    await cp(resolve("dist/cli", name), join(folder, "dist/cli", name));
  return (await run(process.execPath, [join(folder, "dist/cli/main.js")])).stdout.trim();
}

test("the linked program is taken where it is, unless the compiler has written since", async () => {
  expect(await makeInstallation({ linked: 100 })).toBe("linked");
  expect(await makeInstallation({ linked: 100, compiler: 50 })).toBe("linked");
  expect(await makeInstallation({ linked: 100, compiler: 150 })).toBe("compiled");
  expect(await makeInstallation({ compiler: 50 })).toBe("compiled");
});
