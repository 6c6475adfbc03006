import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { formatArchive, formatTarball } from "../../../extras/publish/format-tarball.ts";
import { parseTarball } from "../../../extras/publish/packed-package.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const LONG = `tools/${"very_".repeat(22)}long.validator.js`;
const TEXTS = { "README.md": "# Grüße\n", "empty.js": "", [LONG]: "x".repeat(513), "package.json": "{}" };
const files = Object.entries(TEXTS).map(([path, text]) => ({ path, content: Buffer.from(text) }));

test("tar unpacks what was packed, names of more than 100 characters included", async () => {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "x.tgz"), await formatTarball(files));
  await promisify(execFile)("tar", ["-xzf", "x.tgz"], { cwd: folder });
  for (const [path, text] of Object.entries(TEXTS)) {
    expect(await readFile(join(folder, "package", path), "utf8")).toBe(text);
  }
  expect((await readdir(folder)).toSorted()).toEqual(["package", "x.tgz"]);
});

test("what was packed is read back", async () => {
  expect(LONG.length).toBeGreaterThan(100);
  expect(await parseTarball(await formatTarball(files))).toEqual(new Map(Object.entries(TEXTS)));
});

test("the bytes are these, on every machine", async () => {
  // No zlib of any Node made them. Another digest means that all packages change for those who compare them.
  expect(
    createHash("sha256")
      .update(await formatArchive(files))
      .digest("hex"),
  ).toMatchInlineSnapshot(`"56413b0f2f17790052a1c886b5f9ce302aeeeaea58ea453543c49d8f13cea8c9"`);
  const tarball = await formatTarball(files);
  expect(createHash("sha256").update(tarball).digest("hex")).toMatchInlineSnapshot(
    `"13d243d350355e9d5b8b36263a4046eb81c7c63cf450686801287b8cbc6a5c46"`,
  );
  expect(Buffer.from(tarball).subarray(0, 10).toString("hex")).toBe("1f8b0800000000000203");
});

test.each(["a b.js", "ü.js", "a\nb", ""])("%j is no path of a packed file", async (path) => {
  await expect(formatTarball([{ path, content: Buffer.from("") }])).rejects.toThrow("cannot be the path");
});

test("the compressor is one that every zlib reads", async () => {
  expect(gunzipSync(await formatTarball(files)).equals(await formatArchive(files))).toBe(true);
});

test("an empty archive has no files", async () => {
  expect((await parseTarball(gzipSync(Buffer.alloc(2048)))).size).toBe(0);
});
