import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../engine/load-config.ts";
import { draftOf } from "../../runtime/files/drafts.ts";
import { makeTestFolder } from "../make-test-folder.ts";

async function makeFolder(): Promise<string> {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "codemode.config.json"), '{ "mcpServers": {} }');
  return folder;
}

/** Writes a draft of a file in a process that is killed before the draft gets its name. */
async function leaveDraft(file: string): Promise<void> {
  const { href } = new URL(`file://${resolve("dist/runtime/files/drafts.js")}`);
  const code = `import { writeFileSync } from "node:fs";
    const { draftOf } = await import(${JSON.stringify(href)});
    writeFileSync(draftOf(${JSON.stringify(file)}), "half");
    process.kill(process.pid, "SIGKILL");`;
  await once(spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" }), "close");
}

test("drafts of the configuration and the lockfile that a killed process has left go with the next command", async () => {
  const cwd = await makeFolder();
  for (const name of ["codemode.lock.json", "codemode.config.json"]) await leaveDraft(join(cwd, name));
  expect(await readdir(cwd)).toHaveLength(3);
  await loadConfig({ cwd });
  expect(await readdir(cwd)).toEqual(["codemode.config.json"]);
});

test("what a running process is writing stays, like a file with another name", async () => {
  const cwd = await makeFolder();
  const own = draftOf(join(cwd, "codemode.lock.json"));
  const others = ["codemode.lock.json.0123456789ab.tmp", "codemode.lock.json.tmp", "other.json.0123456789ab.tmp"];
  for (const file of [own, ...others.map((name) => join(cwd, name))]) await writeFile(file, "half");
  await loadConfig({ cwd });
  expect(await readdir(cwd)).toHaveLength(5);
  // Of another machine, which has not written it for more than a minute.
  const [foreign = ""] = others;
  await utimes(join(cwd, foreign), new Date(), new Date(Date.now() - 61_000));
  await loadConfig({ cwd });
  expect(await readdir(cwd)).toEqual(expect.not.arrayContaining([foreign]));
  expect(await readdir(cwd)).toHaveLength(4);
});
