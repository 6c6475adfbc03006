import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openCacheFolder, pruneCacheFolders } from "../../runtime/files/cache-folder.ts";
import { testOnPosix } from "../platforms/needs.ts";

async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "codemode-cache-"));
  vi.stubEnv("XDG_CACHE_HOME", home);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
  return home;
}

testOnPosix("modes of files")("a cache folder is made for its user alone", async () => {
  const home = await makeHome();
  expect(openCacheFolder("things-1")).toBe(join(home, "codemode/things-1"));
  for (const name of ["codemode", "codemode/things-1"]) expect((await stat(join(home, name))).mode & 0o777).toBe(0o700);
});

test.each(["codemode", "codemode/things-1"])("nothing is cached where others can open %s", async (name) => {
  const home = await makeHome();
  openCacheFolder("things-1");
  await chmod(join(home, name), 0o755);
  expect(openCacheFolder("things-1")).toBeUndefined();
});

testOnPosix("modes of files")("a link to a folder is no cache folder", async () => {
  const home = await makeHome();
  await mkdir(join(home, "codemode"), { mode: 0o700 });
  await mkdir(join(home, "elsewhere"), { mode: 0o700 });
  await symlink(join(home, "elsewhere"), join(home, "codemode/things-1"));
  expect(openCacheFolder("things-1")).toBeUndefined();
});

test("the folders of a kind that were opened last are kept, and those of other kinds", async () => {
  const home = await makeHome();
  const names = ["things-1", "things-2", "things-3", "others-1"];
  for (const [seconds, name] of names.entries()) {
    openCacheFolder(name);
    await utimes(join(home, "codemode", name), seconds, seconds);
  }
  openCacheFolder("things-1");
  pruneCacheFolders("things-", 2);
  expect((await readdir(join(home, "codemode"))).toSorted()).toEqual(["others-1", "things-1", "things-3"]);
});
