import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { emitChanged } from "../../../../engine/project/emit/emit-changed.ts";
import { emitOffered } from "../../../../engine/project/emit/emit-offered.ts";
import type { LockedServer } from "../../../../schemas/lock/lockfile.ts";
import { lockfileOf } from "../../../templates/lockfile-of.ts";

const echo = { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } };
const MODULE = "a/tools/echo.js";

beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), "codemode-offered-home-"));
  vi.stubEnv("XDG_CACHE_HOME", home);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
});

const serverOf = (description: string): LockedServer =>
  lockfileOf({ a: [{ ...echo, description }] }).servers.get("a") as LockedServer;

/** Offers the entry as the start of a host does, and says whether anything was emitted for it. */
async function offer(description = "Says it again."): Promise<{ folder: string; isEmitted: boolean }> {
  let isEmitted = false;
  const folder = await emitOffered(serverOf(description), (...request) => {
    isEmitted = true;
    return emitChanged(...request);
  });
  return { folder, isEmitted };
}

test("an entry that was offered before has its package already", async () => {
  const first = await offer();
  expect(first.isEmitted).toBe(true);
  expect(await offer()).toEqual({ ...first, isEmitted: false });
  expect((await offer("Says something else.")).isEmitted).toBe(true);
  expect(await offer()).toEqual({ ...first, isEmitted: false });
});

test.each<[name: string, damage: (folder: string) => Promise<unknown>]>([
  ["with an edited module", (folder) => appendFile(join(folder, MODULE), "// foreign\n")],
  ["with a missing module", (folder) => rm(join(folder, MODULE))],
  ["without its seal", (folder) => rm(join(folder, "a/tools.json"))],
  ["without its manifest", (folder) => rm(join(folder, "package.json"))],
  ["with a torn manifest", (folder) => truncate(join(folder, "package.json"), 9)],
  ["whose record is damaged", (folder) => appendFile(`${folder}.record`, "x")],
  ["whose record is gone", (folder) => rm(`${folder}.record`)],
])("a package %s is emitted again", async (_, damage) => {
  const { folder } = await offer();
  const before = await readFile(join(folder, MODULE), "utf8");
  await damage(folder);
  expect(await offer()).toEqual({ folder, isEmitted: true });
  expect(await readFile(join(folder, MODULE), "utf8")).toBe(before);
  expect((await offer()).isEmitted).toBe(false);
});

test("a manifest that was edited is written again, and a file that belongs to no package goes", async () => {
  const { folder } = await offer();
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@codemode/servers", main: "./foreign.js" }));
  await writeFile(join(folder, "a/foreign.js"), "export {};\n");
  expect((await offer()).isEmitted).toBe(false);
  expect(await readFile(join(folder, "package.json"), "utf8")).toBe(manifest);
  await expect(readFile(join(folder, "a/foreign.js"))).rejects.toThrow("ENOENT");
});
