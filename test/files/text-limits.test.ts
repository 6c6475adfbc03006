import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { loadConfig } from "../../engine/load-config.ts";
import { importServersFrom } from "../../engine/project/config/import-servers.ts";
import {
  readBytes,
  readStreamText,
  readText,
  readTextIfPresent,
  readTextSync,
  type TextKind,
  TEXTS,
} from "../../engine/project/files.ts";
import { readLockfile } from "../../engine/project/lockfile-file.ts";
import { findScript } from "../../engine/project/script.ts";
import { readBounded } from "../../runtime/files/read-bounded.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { testOnLinux } from "../platforms/needs.ts";

const MIB = 1024 * 1024;

/** A file of that size which takes no place on the disk. */
function makeLarge(file: string, bytes: number): void {
  writeFileSync(file, "");
  truncateSync(file, bytes);
}

const READERS: [what: string, file: string, kind: TextKind, read: (folder: string, file: string) => unknown][] = [
  ["the configuration", "codemode.config.json", "settings", (cwd) => loadConfig({ cwd })],
  ["the configuration of a client in its place", ".mcp.json", "settings", (cwd) => loadConfig({ cwd })],
  ["a file of a client", "claude.json", "settings", (cwd, file) => importServersFrom(file, cwd)],
  ["a file beside the configuration", ".gitignore", "settings", (_, file) => readTextIfPresent(file)],
  ["the lockfile", "codemode.lock.json", "lock", (folder) => readLockfile({ folder })],
  ["the lockfile, at once", "codemode.lock.json", "lock", async (_, file) => readTextSync(file, "lock")],
  ["a script", "a.ts", "given", (cwd) => findScript({ file: "a.ts" }, cwd, toConfig({ mcpServers: {} }, "", cwd))],
  ["an input", "in.json", "given", (_, file) => readText(file, "given")],
  ["a recording", "run.jsonl", "recording", (_, file) => readText(file, "recording")],
  ["a packed package", "a.tgz", "lock", (_, file) => readBytes(file, "lock")],
];

test.each(READERS)("%s that is larger than any of its kind is not read: %s", async (_what, name, kind, read) => {
  const folder = await makeTestFolder();
  const file = join(folder, name);
  const { limitBytes } = TEXTS[kind];
  makeLarge(file, limitBytes + 1);
  const before = process.cpuUsage();
  await expect(read(folder, file)).rejects.toMatchObject({
    ...{ code: "FILE_TOO_LARGE", exitCode: 2 },
    message: expect.stringContaining(`is larger than ${limitBytes / MIB} MiB`),
    hint: "Check that it is the file that you mean.",
  });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});

testOnLinux("devices and pipes in the file system")(
  "a device or a pipe is no configuration, file of a client or lockfile, and a device without an end is no script",
  async () => {
    for (const [what, name, kind, read] of READERS) {
      const takesPipes = "takesPipes" in TEXTS[kind];
      const [pipes, devices] = [await makeTestFolder(), await makeTestFolder()];
      symlinkSync("/dev/zero", join(devices, name));
      const ofDevice = takesPipes ? { code: "FILE_TOO_LARGE" } : { code: "FILE_INACCESSIBLE" };
      if (kind !== "recording") await expect(read(devices, join(devices, name)), what).rejects.toMatchObject(ofDevice);
      if (takesPipes) continue;
      execFileSync("mkfifo", [join(pipes, name)]);
      await expect(read(pipes, join(pipes, name)), what).rejects.toMatchObject({
        ...{ code: "FILE_INACCESSIBLE", exitCode: 2 },
        message: expect.stringContaining("it is a device or a pipe, not a file"),
      });
    }
  },
);

test("standard input and other streams end at the limit", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(MIB, "x");
    })(),
  );
  await expect(readStreamText(endless, "standard input")).rejects.toMatchObject({
    code: "FILE_TOO_LARGE",
    message: "standard input is larger than 64 MiB, and was not read.",
  });
});

test("a file that grows while it is read ends at the limit too, and a whole one is read as it is", async () => {
  const folder = await makeTestFolder();
  const file = join(folder, "a");
  for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    writeFileSync(file, Buffer.alloc(length, "ab"));
    expect((await readBounded(file, { limitBytes: length })).equals(Buffer.alloc(length, "ab"))).toBe(true);
    expect(readTextSync(file)).toHaveLength(length);
  }
  mkdirSync(join(folder, "b"));
  await expect(readText(join(folder, "b"))).rejects.toMatchObject({ message: expect.stringContaining("EISDIR") });
});

testOnLinux("files of the kernel say that they are empty")("a file without a size is read whole", async () => {
  expect((await readBounded("/proc/self/status", { limitBytes: MIB })).byteLength).toBeGreaterThan(100);
  await expect(readBounded("/proc/self/status", { limitBytes: 10 })).rejects.toMatchObject({ limitBytes: 10 });
});
