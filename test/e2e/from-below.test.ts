import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

const CONFIG = { mcpServers: { everything: STAND_INS.everything } };
const SCRIPT =
  'import { echo } from "@codemode/servers/everything";\nexport default await echo({ message: "deep" });\n';

/** A project with a folder below it. */
async function makeDeepProject(): Promise<{ project: string; below: string }> {
  const project = await makeProject({ "codemode.config.json": CONFIG });
  const below = join(project, "src", "deep");
  await mkdir(below, { recursive: true });
  return { project, below };
}

test("scripts run from a folder below the project, and their paths are relative to that folder", async () => {
  const { project, below } = await makeDeepProject();
  await writeFile(join(below, "hello.ts"), SCRIPT);
  const run = (...args: string[]) => typeCommand(args, { cwd: below });
  expect(await run("lock")).toMatchObject({ code: 0 });
  expect(await readFile(join(project, "codemode.lock.json"), "utf8")).toContain('"echo"');
  expect(await run("run", "hello.ts")).toMatchObject({ code: 0, stdout: '"Echo: deep"\n' });
  expect(await run("bundle", "hello.ts", "-o", "hello.json")).toMatchObject({ code: 0 });
  expect(await run("run", "hello.json")).toMatchObject({ code: 0, stdout: '"Echo: deep"\n' });
});

test("commands that write, list and complete find the project from below too", async () => {
  const { below } = await makeDeepProject();
  const run = (...args: string[]) => typeCommand(args, { cwd: below });
  expect(await run("generate", "--out", "here")).toMatchObject({ code: 0 });
  expect(await readFile(join(below, "here", "package.json"), "utf8")).toContain("@codemode/servers");
  expect(await run("tools")).toMatchObject({ code: 0, stdout: expect.stringContaining("echo") });
  expect(await run("complete", "--", "types", "")).toMatchObject({ stdout: expect.stringContaining("everything") });
});

test("a project that was found above is as untrusted as any other", async () => {
  const { below } = await makeDeepProject();
  const refused = await typeCommand(["lock"], { cwd: below, env: { CODEMODE_TRUST: "" } });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not trusted") });
});

testOnPosix("modes of files")("a configuration that everybody can write is named and not used", async () => {
  const { project, below } = await makeDeepProject();
  await chmod(project, 0o777);
  const refused = await typeCommand(["lock"], { cwd: below });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(join(project, "codemode.config.json")) });
  expect(refused.stderr).toContain("--config");
  expect(await typeCommand(["lock", "--config", "../../codemode.config.json"], { cwd: below })).toMatchObject({
    code: 0,
  });
});
