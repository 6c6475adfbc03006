import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fillCompileCache, findCompileCache } from "../../../runtime/sandbox/pool/compile-cache.ts";

/** Programs, a cache of its own for them, and one that is run in their place and prints as a sandbox does what it has compiled. */
async function makePrograms(filler: string) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-compiled-"));
  vi.stubEnv("XDG_CACHE_HOME", folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  const programFolder = join(folder, "sandbox");
  await mkdir(programFolder);
  for (const name of ["boot.cjs", "main.js", "realm.js", "runtime.js", "ses.js"])
    await writeFile(join(programFolder, name), name);
  await writeFile(join(folder, "filler.cjs"), filler);
  return {
    fill: [process.execPath, join(folder, "filler.cjs")],
    find: () => findCompileCache({ nodeVersion: process.version, v8Flags: [], programFolder }),
  };
}

const PRINT = `require("node:fs").writeSync(4, "compiled");`;

test("a filled cache is found as long as the programs are the same", async () => {
  const { find, fill } = await makePrograms(PRINT);
  const cache = await find();
  if (cache === undefined) throw new Error("no place for a cache");
  expect(cache.isFilled).toBe(false);
  await fillCompileCache(cache, fill);
  expect(await find()).toMatchObject({ isFilled: true, file: cache.file });
  expect(await readFile(cache.file, "utf8")).toBe("compiled");
});

test("a cache that was filled while a build replaced the programs is thrown away", async () => {
  const replace = `require("node:fs").writeFileSync(require("node:path").join(__dirname, "sandbox/realm.js"), "other");`;
  const { find, fill } = await makePrograms(replace + PRINT);
  const cache = await find();
  if (cache === undefined) throw new Error("no place for a cache");
  await fillCompileCache(cache, fill);
  await expect(readFile(cache.file)).rejects.toMatchObject({ code: "ENOENT" });
  expect(await find()).toMatchObject({ isFilled: false });
});
