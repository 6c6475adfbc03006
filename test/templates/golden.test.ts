import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { GeneratedFile } from "../../templates/generated-file.ts";
import { emitLockfile } from "./emit-lockfile.ts";
import { lockRecordings } from "./lockfile-of.ts";

const GOLDEN = new URL("../golden/", import.meta.url);
const PACKAGE = new URL("servers/", GOLDEN);

const lockfile = lockRecordings(new URL("cases/", GOLDEN));
const files = await emitLockfile(lockfile);

describe("the golden package, made of real servers and of hand-written cases", () => {
  it.each([...lockfile.servers.keys()])("%s is emitted as it was accepted (update with -u)", async (id) => {
    expect.hasAssertions();
    await expectAccepted(files.filter((file) => file.path.startsWith(`${id}/`)));
  });

  it("names every server in its package.json", async () => {
    expect.hasAssertions();
    await expectAccepted(files.filter((file) => file.path === "package.json"));
  });

  it("holds no file that is no longer emitted", () => {
    const found = readdirSync(PACKAGE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const emitted = new Set(files.map((file) => fileURLToPath(new URL(encodeURI(file.path), PACKAGE))));
    expect(found.filter((file) => !emitted.has(file))).toEqual([]);
  });

  it("is sorted, and safe on file systems that do not tell case", () => {
    const paths = files.map((file) => file.path);
    expect(paths).toEqual(paths.toSorted());
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    expect(paths.filter((path) => !/^[\w$.-]+(?:\/[\w$.-]+)*$/.test(path))).toEqual([]);
  });

  it("holds no character that a reader cannot see", () => {
    const invisible = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/u;
    expect(files.filter((file) => invisible.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});

async function expectAccepted(emitted: readonly GeneratedFile[]): Promise<void> {
  expect(emitted).not.toEqual([]);
  for (const file of emitted) {
    // oxlint-disable-next-line no-await-in-loop -- in order, so that the first difference is the one reported
    await expect(file.text).toMatchFileSnapshot(fileURLToPath(new URL(encodeURI(file.path), PACKAGE)));
  }
}
