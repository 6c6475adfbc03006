import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { formatArchive, formatTarball } from "../../../engine/project/pack/format-tarball.ts";
import { parseTarball } from "../../../engine/project/pack/parse-tarball.ts";

const LONG = `tools/${"very_".repeat(22)}long.validator.js`;
const TEXTS = { "README.md": "# Grüße\n", "empty.js": "", [LONG]: "x".repeat(513), "package.json": "{}" };
const files = Object.entries(TEXTS).map(([path, text]) => ({ path, content: Buffer.from(text) }));

test("tar unpacks what was packed, names of more than 100 characters included", async () => {
  const folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "x.tgz"), formatTarball(files));
  await promisify(execFile)("tar", ["-xzf", "x.tgz"], { cwd: folder });
  for (const [path, text] of Object.entries(TEXTS)) {
    expect(await readFile(join(folder, "package", path), "utf8")).toBe(text);
  }
  expect((await readdir(folder)).toSorted()).toEqual(["package", "x.tgz"]);
});

test("what was packed is read back", () => {
  expect(LONG.length).toBeGreaterThan(100);
  expect(parseTarball(formatTarball(files))).toEqual(new Map(Object.entries(TEXTS)));
});

test("the bytes are these, on every machine", () => {
  // No zlib of any Node made them. Another digest means that all packages change for those who compare them.
  expect(createHash("sha256").update(formatArchive(files)).digest("hex")).toMatchInlineSnapshot(
    `"b24f6f7d1b67d92691f6d354e59e309f43b3e17c315411ac358b83468f23e4c7"`,
  );
  expect(createHash("sha256").update(formatTarball(files)).digest("hex")).toMatchInlineSnapshot(
    `"41ca4549e3881160e6c192afa07f8f44d89f773a104bd1d39aac2da52fd29b60"`,
  );
  expect(Buffer.from(formatTarball(files)).subarray(0, 10).toString("hex")).toBe("1f8b0800000000000203");
});

test.each(["a b.js", "ü.js", "a\nb", ""])("%j is no path of a packed file", (path) => {
  expect(() => formatTarball([{ path, content: Buffer.from("") }])).toThrow("cannot be the path");
});

test("what is cut short, no archive or a bomb is refused", () => {
  const archive = formatArchive(files);
  expect(() => parseTarball(gzipSync(archive.subarray(0, archive.length - 1600)))).toThrow("cut short");
  expect(() => parseTarball(Buffer.from("no gzip"))).toThrow("incorrect header check");
  expect(() => parseTarball(formatTarball(files).subarray(0, 60))).toThrow("unexpected end of file");
  expect(parseTarball(gzipSync(Buffer.alloc(2048))).size).toBe(0);
  expect(gunzipSync(formatTarball(files)).equals(archive)).toBe(true);
});
