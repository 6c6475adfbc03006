import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { lstat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { replaceFile, replaceUnflushed } from "../../runtime/files/replace-file.ts";
import { testOnPosix } from "../platforms/needs.ts";

const PROGRAM = join(import.meta.dirname, "writing-program.mjs");
const STRIP_TYPES = join(import.meta.dirname, "../strip-types.mjs");

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a process asks of the file system while it writes files, in its order, as Node itself traces it. */
async function traceWriting(way: string, ...names: string[]): Promise<string[]> {
  const folder = makeFolder();
  const trace = join(folder, "trace.json");
  const files = names.map((name) => join(folder, name));
  const tracing = ["--trace-event-categories", "node.fs.async", "--trace-event-file-pattern", trace];
  await promisify(execFile)(process.execPath, [...tracing, "--import", STRIP_TYPES, PROGRAM, way, ...files]);
  for (const file of files) expect(readFileSync(file, "utf8")).toBe("new");
  const { traceEvents } = JSON.parse(readFileSync(trace, "utf8")) as { traceEvents: TraceEvent[] };
  const begun = traceEvents.filter(({ ph }) => ph === "b");
  const shown = begun.map(({ name, args: { path } }) => {
    if (path === undefined || !path.startsWith(folder)) return name;
    return `${name} ${path === folder ? "the folder" : basename(path).replace(/\.[0-9a-f]{12}\.tmp$/, ".tmp")}`;
  });
  return shown.slice(shown.findIndex((line) => line.startsWith("open ")));
}

interface TraceEvent {
  ph: string;
  name: string;
  args: { path?: string };
}

test("a file is flushed before it takes its place, and its folder after that", async () => {
  const asked = await traceWriting("flushed", "a.json");
  expect(asked).toEqual(["open a.json.tmp", "write", "fsync", "close", "rename", "open the folder", "fsync", "close"]);
});

test("what can be made again is not flushed", async () => {
  expect(await traceWriting("unflushed", "a.json")).toEqual(["open a.json.tmp", "write", "close", "rename"]);
});

test("many files are flushed once each, and their folder once for all", async () => {
  const asked = await traceWriting("together", "a.json", "b.json", "c.json");
  expect(asked.filter((line) => line.startsWith("open")).toSorted()).toEqual([
    "open a.json",
    "open b.json",
    "open c.json",
    "open the folder",
  ]);
  expect(asked.filter((line) => line === "fsync")).toHaveLength(4);
});

testOnPosix("modes of files")(
  "a file gets the requested permissions, regardless of those of the previous file",
  async () => {
    const file = join(makeFolder(), "a.json");
    await writeFile(file, "old", { mode: 0o644 });
    await replaceFile(file, "new", { mode: 0o600 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    replaceUnflushed(file, "newer", 0o600);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe("newer");
  },
);

test("a symbolic link is replaced, and what it leads to stays", async () => {
  const folder = makeFolder();
  const [target, file] = [join(folder, "target"), join(folder, "a.json")];
  for (const replace of [replaceFile, replaceUnflushed]) {
    await writeFile(target, "old");
    rmSync(file, { force: true });
    symlinkSync(target, file);
    await replace(file, "new");
    expect((await lstat(file)).isFile()).toBe(true);
    expect([readFileSync(file, "utf8"), readFileSync(target, "utf8")]).toEqual(["new", "old"]);
  }
});

testOnPosix("modes of files")("where it fails, the old file stays and nothing is left behind", async () => {
  const folder = makeFolder();
  // A folder cannot be replaced by a file.
  mkdirSync(join(folder, "a.json"));
  await expect(replaceFile(join(folder, "a.json"), "new")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  expect(() => replaceUnflushed(join(folder, "a.json"), "new")).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  expect(readdirSync(folder)).toEqual(["a.json"]);
  await expect(replaceFile(join(folder, "none", "a.json"), "new")).rejects.toThrow("ENOENT");
  chmodSync(folder, 0o700);
});
