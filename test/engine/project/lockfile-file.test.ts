import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../../engine/load-config.ts";
import { LOCKFILE_NAME, watchLockfile, writeLockfile } from "../../../engine/project/lockfile-file.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const lockfile = lockfileOf({ notes: [{ name: "read" }] });

async function open() {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "codemode.config.json"), '{ "mcpServers": {} }');
  return { config: await loadConfig({ cwd: folder }), file: join(folder, LOCKFILE_NAME) };
}

test("who watches the lockfile gets it once after each change, where it can be read", async () => {
  const { config, file } = await open();
  const look = watchLockfile(config);
  expect(await look()).toBeUndefined();
  await writeLockfile(config, lockfile);
  expect([await look(), await look()]).toEqual([lockfile, undefined]);
  await writeFile(file, "{");
  expect([await look(), await look()]).toEqual([undefined, undefined]);
  await writeLockfile(config, lockfile);
  expect(await look()).toEqual(lockfile);
});

test("a lockfile that is equal keeps its time", async () => {
  const { config, file } = await open();
  await writeLockfile(config, lockfile);
  await utimes(file, 1, 1);
  await writeLockfile(config, lockfile);
  expect((await stat(file)).mtimeMs).toBe(1000);
  await writeLockfile(config, lockfileOf({}));
  expect((await stat(file)).mtimeMs).toBeGreaterThan(1000);
});
