import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const copyProject = shareProject({ "codemode.config.json": { mcpServers: STAND_INS } });
const LOCKFILE = "codemode.lock.json";

async function edit(cwd: string, change: (text: string) => string): Promise<string> {
  const text = await readFile(join(cwd, LOCKFILE), "utf8");
  await writeFile(join(cwd, LOCKFILE), change(text));
  return text;
}

test.each([
  ["an edited sentence", (text: string) => text.replace("Echoes back the input", "Sends the input away")],
  ["a text that is cut off", (text: string) => text.slice(0, text.length / 2)],
  [
    "a merge conflict",
    (text: string) => `<<<<<<< HEAD\n${text.replace("Echoes back", "Repeats")}=======\n${text}>>>>>>> other\n`,
  ],
  ["no version", (text: string) => text.replace('"lockfileVersion": 1,', "")],
])("after %s the hint leads to the lockfile as it was", async (_, change) => {
  const cwd = await copyProject();
  const before = await edit(cwd, change);
  const refused = await typeCommand(["lock"], { cwd });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("codemode lock --repair") });
  const repaired = await typeCommand(["lock", "--repair"], { cwd });
  expect(repaired.code, repaired.stderr).toBe(0);
  expect(await readFile(join(cwd, LOCKFILE), "utf8")).toBe(before);
});

test("repairing shows what differs from what could be read, and starts no server whose entry is intact", async () => {
  const { everything } = STAND_INS;
  const cwd = await copyProject({
    // It would fail, if it were started.
    "codemode.config.json": { mcpServers: { everything, memory: { command: process.execPath, args: ["-e", "x"] } } },
  });
  await edit(cwd, (text) => text.replace("Echoes back the input", "Sends the input away"));
  const repaired = await typeCommand(["lock", "--repair"], { cwd });
  expect(repaired.code, repaired.stderr).toBe(0);
  expect(repaired.stderr).toContain('everything: not taken over: tool 0: the integrity of "echo" does not match');
  expect(repaired.stderr).toContain("[-Sends-]{+Echoes+}");
  expect(repaired.stderr).not.toContain("memory");
  expect(await typeCommand(["lock", "--repair"], { cwd })).toMatchObject({
    code: 0,
    stderr: "The lockfile is valid: nothing to repair.\n",
  });
});

test("an entry that is broken and whose server does not answer is named as lost, with 1", async () => {
  const { memory } = STAND_INS;
  const cwd = await copyProject({
    "codemode.config.json": { mcpServers: { everything: { command: process.execPath, args: ["-e", "x"] }, memory } },
  });
  await edit(cwd, (text) => text.replace("Echoes back the input", "Sends the input away"));
  const repaired = await typeCommand(["lock", "--repair"], { cwd });
  expect(repaired).toMatchObject({ code: 1, stderr: expect.stringContaining('Server "everything"') });
  expect(repaired.stderr).toContain("everything: removed");
  expect(JSON.parse((await typeCommand(["tools", "--json"], { cwd })).stdout)).not.toEqual([]);
});

test("repair takes no names, writes, and needs a lockfile", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: STAND_INS } });
  expect(await typeCommand(["lock", "--repair", "memory"], { cwd })).toMatchObject({ code: 2 });
  expect(await typeCommand(["lock", "--repair", "--check"], { cwd })).toMatchObject({ code: 2 });
  expect(await typeCommand(["lock", "--repair"], { cwd })).toMatchObject({ code: 3 });
});
