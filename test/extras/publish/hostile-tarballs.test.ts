import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, type TarHeader } from "modern-tar";
import { expect, test } from "vitest";
import { formatArchive, formatTarball } from "../../../extras/publish/format-tarball.ts";
import { parseTarball } from "../../../extras/publish/packed-package.ts";

const BLOCK = 512;

/** A tarball of entries that each hold "text", unless their type has no content. */
async function pack(...headers: (Partial<TarHeader> & { name: string })[]): Promise<Uint8Array> {
  const body = Buffer.from("text");
  const mtime = new Date(0);
  return gzipSync(
    await packTar(
      headers.map((header) => {
        const isFile = (header.type ?? "file") === "file";
        return { header: { mtime, size: isFile ? body.length : 0, ...header }, ...(isFile ? { body } : {}) };
      }),
    ),
  );
}

const one = (): Promise<Uint8Array> => formatArchive([{ path: "a.js", content: Buffer.from("text") }]);

/** Changes the header of the first entry, and makes its checksum right again. */
function withHeader(archive: Uint8Array, change: (header: Buffer) => void): Uint8Array {
  const header = Buffer.from(archive.buffer, archive.byteOffset, BLOCK);
  change(header);
  header.fill(" ", 148, 156);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return archive;
}

test.each([
  "package/../../a.js",
  "../package/a.js",
  "/package/a.js",
  "/a.js",
  "package//a.js",
  "package/./a.js",
  "package/..",
  "package/a\\..\\..\\b.js",
  "a.js",
])("the path %j is refused", async (name) => {
  await expect(parseTarball(await pack({ name }))).rejects.toThrow("is no path inside of the package");
});

test("a path that a pax header leads out of the package is refused", async () => {
  const tarball = pack({ name: "package/a.js", pax: { path: "package/../../a.js" } });
  await expect(parseTarball(await tarball)).rejects.toThrow("is no path inside of the package");
});

test("a path of a pax header is the file's path, and other pax headers say nothing", async () => {
  const pax = { path: "package/other.js", "SCHILY.xattr.user.x": "y", comment: "1 path=package/third.js" };
  expect(await parseTarball(await pack({ name: "package/a.js", pax }))).toEqual(new Map([["other.js", "text"]]));
});

test.each(["symlink", "link", "fifo", "character-device", "block-device"] as const)(
  "an entry that is a %s is refused",
  async (type) => {
    const tarball = await pack({ name: "package/a.js", type, linkname: "/etc/passwd" });
    await expect(parseTarball(tarball)).rejects.toThrow('"a.js" is no file');
  },
);

test("a folder is no file and needs none", async () => {
  const tarball = await pack({ name: "package/b/", type: "directory" }, { name: "package/b/a.js" });
  expect(await parseTarball(tarball)).toEqual(new Map([["b/a.js", "text"]]));
});

test("a path that comes twice is refused, as programs disagree about which of the two counts", async () => {
  const twice = await pack({ name: "package/a.js" }, { name: "other/a.js" });
  await expect(parseTarball(twice)).rejects.toThrow('"a.js" is there twice');
});

test.each([
  ["more than there is", "00000100000\0"],
  ["gigabytes", "77777777777\0"],
  ["more than a number can say", "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"],
  ["no number", "abc\0\0\0\0\0\0\0\0\0"],
])("a size that says %s is refused", async (_says, size) => {
  const archive = withHeader(await one(), (header) => header.write(size, 124, "latin1"));
  await expect(parseTarball(gzipSync(archive))).rejects.toThrow(/truncated|too large|Invalid tar/);
});

test("a size of a pax header counts, and may not be more than there is", async () => {
  // The packer writes no wrong size, so the name of another record becomes this one.
  const tarball = await pack({ name: "package/a.js", pax: { sizf: "9007199254740991" } });
  const archive = gunzipSync(tarball);
  archive.write("size", archive.indexOf("sizf"), "latin1");
  await expect(parseTarball(gzipSync(archive))).rejects.toThrow("truncated");
});

test("a header that was damaged is refused", async () => {
  const archive = await one();
  archive[0] = 0x71;
  await expect(parseTarball(gzipSync(archive))).rejects.toThrow("checksum");
});

test("an archive that is cut short anywhere is refused", async () => {
  const archive = await one();
  for (const length of [1, 100, 512, 514, 516, 1000, 1024, 1536, archive.length - 1]) {
    await expect(parseTarball(gzipSync(archive.subarray(0, length))), `${length} bytes`).rejects.toThrow("truncated");
  }
});

test("what is no gzip, or a part of it, is refused", async () => {
  const tarball = await formatTarball([{ path: "a.js", content: Buffer.from("text") }]);
  await expect(parseTarball(Buffer.from("no gzip"))).rejects.toThrow("incorrect header check");
  await expect(parseTarball(tarball.subarray(0, 60))).rejects.toThrow("unexpected end of file");
});

test("an archive that unpacks to more than a package can hold is refused before it is read", async () => {
  const bomb = gzipSync(Buffer.alloc(1 << 20));
  expect(bomb.length).toBeLessThan(2000);
  await expect(parseTarball(bomb, (1 << 20) - 1)).rejects.toThrow("Cannot create a Buffer larger than");
  expect((await parseTarball(bomb, 1 << 20)).size).toBe(0);
});
