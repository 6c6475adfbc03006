import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../../engine/load-config.ts";
import { asOneStep } from "../../../engine/project/as-one-step.ts";
import { writeAtomically } from "../../../engine/project/files.ts";
import { removeServer } from "../../../engine/remove-server.ts";
import { initProject } from "../../../engine/init-project.ts";
import { fileInaccessible } from "../../../schemas/errors.ts";
import { formatLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { moveServers, restoreServers } from "../../../extras/install/move-servers.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { testOnPosix } from "../../platforms/needs.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const read = (file: string): string => readFileSync(file, "utf8");

test("what fails after the first file leaves all of them as they were", async () => {
  const project = await makeTestFolder();
  const [one, two, fresh] = ["one", "two", "fresh"].map((name) => join(project, name)) as [string, string, string];
  writeFileSync(one, "\uFEFFbefore\r\n", { mode: 0o600 });
  writeFileSync(two, "before");
  const work = asOneStep([one, two, fresh], project, async () => {
    rmSync(one);
    await writeAtomically(fresh, "after", { project });
    await writeAtomically(two, "after", { project });
    throw fileInaccessible(two, "EBUSY");
  });
  await expect(work).rejects.toMatchObject({
    message: `Cannot access ${two}: EBUSY`,
    hint: "Another program has it open: close that, then run the same command again.",
  });
  expect([read(one), read(two), existsSync(fresh)]).toEqual(["\uFEFFbefore\r\n", "before", false]);
  if (process.platform !== "win32") expect(statSync(one).mode & 0o777).toBe(0o600);
});

test("a file that cannot be taken back is named", async () => {
  const project = await makeTestFolder();
  const one = join(project, "one");
  const work = asOneStep([one], project, async () => {
    mkdirSync(one);
    throw fileInaccessible("other", "EPERM");
  });
  await expect(work).rejects.toMatchObject({ hint: expect.stringContaining(`Already changed: ${one}.`) });
});

/** A file in the project that can be read, and not written: it is a link that leads out. */
async function makeUnwritable(file: string, text: string): Promise<void> {
  const outside = join(await makeTestFolder(), "outside");
  writeFileSync(outside, text);
  symlinkSync(outside, file);
}

testOnPosix("links")("a server that cannot be removed from the lockfile stays in the configuration", async () => {
  const cwd = await makeTestFolder();
  const file = join(cwd, "codemode.config.json");
  const text = '{\n  // mine\n  "mcpServers": { "a": { "command": "a" }, "b": { "command": "b" } }\n}\n'.replace(
    "  // mine\n",
    "",
  );
  writeFileSync(file, text);
  await makeUnwritable(
    join(cwd, "codemode.lock.json"),
    formatLockfile(lockfileOf({ a: [{ name: "x" }], b: [{ name: "y" }] })),
  );
  await expect(removeServer(await loadConfig({ cwd }), "a")).rejects.toMatchObject({ code: "LINK_OUTSIDE" });
  expect(read(file)).toBe(text);
});

testOnPosix("links")("a project whose files for editors cannot be written is not begun", async () => {
  const folder = await makeTestFolder();
  await makeUnwritable(join(folder, ".gitignore"), "");
  const imported = { servers: new Map(), sources: [] };
  await expect(initProject(folder, imported)).rejects.toMatchObject({ code: "LINK_OUTSIDE" });
  expect(existsSync(join(folder, "codemode.config.json"))).toBe(false);
});

testOnPosix("links")(
  "servers that cannot be taken out of a client's file are in no backup, and come back from none twice",
  async () => {
    const folder = await makeTestFolder();
    const path = join(folder, ".mcp.json");
    const text = '{"mcpServers":{"files":{"command":"files"}}}';
    const file = { id: "claude-code", client: "Claude Code", scope: "project", path, format: "mcp-servers" } as const;
    await makeUnwritable(path, text);
    await expect(moveServers({ file, names: ["files"] }, folder, "codemode")).rejects.toMatchObject({
      code: "LINK_OUTSIDE",
    });
    const backup = `${path}.codemode-backup`;
    expect([read(path), existsSync(backup)]).toEqual([text, false]);
    rmSync(path);
    await makeUnwritable(path, "{}");
    writeFileSync(backup, text, { mode: 0o600 });
    await expect(restoreServers(file, folder, "codemode")).rejects.toMatchObject({ code: "LINK_OUTSIDE" });
    expect([read(path), read(backup), statSync(backup).mode & 0o777]).toEqual(["{}", text, 0o600]);
  },
);
