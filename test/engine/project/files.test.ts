import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  assertWritable,
  readMarkedText,
  readText,
  readTextIfPresent,
  readTextSync,
  writeAtomically,
  writeManyAtomically,
} from "../../../engine/project/files.ts";
import { testOnPosix } from "../../platforms/needs.ts";

const EMISSION = new URL("../../../dist/engine/project/emit/emit-changed.js", import.meta.url).href;

/** A project, and a folder beside it that is another's. */
function makeFolders(): { project: string; outside: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "codemode-test-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [project, outside] = [join(root, "project"), join(root, "outside")];
  for (const folder of [project, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "victim.json"), "precious");
  return { project, outside };
}

const read = (...parts: string[]): string => readFileSync(join(...parts), "utf8");

test("a file is written with the folders that it needs", async () => {
  const { project } = makeFolders();
  await writeAtomically(join(project, "a/b/c.json"), "text", { project });
  await writeAtomically(join(project, "bytes"), new Uint8Array([104, 105]), { project });
  expect([read(project, "a/b/c.json"), read(project, "bytes")]).toEqual(["text", "hi"]);
  expect(readdirSync(join(project, "a/b"))).toEqual(["c.json"]);
});

testOnPosix("modes of files")("a file that is replaced keeps its mode", async () => {
  const { project } = makeFolders();
  const file = join(project, "codemode.config.json");
  for (const mode of [0o600, 0o640, 0o644]) {
    writeFileSync(file, "old");
    chmodSync(file, mode);
    await writeAtomically(file, "new", { project });
    expect([read(file), lstatSync(file).mode & 0o777]).toEqual(["new", mode]);
  }
});

testOnPosix("modes of folders")("a folder that is made for a file allows no more than it may", async () => {
  const { project } = makeFolders();
  mkdirSync(join(project, "there"));
  chmodSync(join(project, "there"), 0o777);
  await writeAtomically(join(project, "there/made/a"), "", { project, folderMode: 0o700 });
  expect(["there", "there/made"].map((name) => lstatSync(join(project, name)).mode & 0o777)).toEqual([0o777, 0o700]);
  // Under a mask that takes nothing away.
  const program = `process.umask(0);
    const { writeEmissionRecord } = await import(${JSON.stringify(EMISSION)});
    await writeEmissionRecord({ folder: ${JSON.stringify(project)} }, new Map());`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program]);
  expect(lstatSync(join(project, "node_modules/.cache/codemode")).mode & 0o777).toBe(0o755);
});

test("a link that stays in the project is followed, and stays", async () => {
  const { project } = makeFolders();
  mkdirSync(join(project, "real"));
  symlinkSync("real", join(project, "folder"));
  symlinkSync("real/new.json", join(project, "file.json"));
  await writeAtomically(join(project, "file.json"), "first", { project });
  expect(read(project, "real/new.json")).toBe("first");
  await writeAtomically(join(project, "folder/new.json"), "second", { project });
  expect(read(project, "file.json")).toBe("second");
  expect(lstatSync(join(project, "file.json")).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(project, "real"))).toEqual(["new.json"]);
});

test.each([
  ["the file", "victim.json", "victim.json"],
  ["a file that is not there yet", "victim.json", "new.json"],
  ["its folder", "folder", "."],
  ["a folder above", "folder/deeper", "."],
  ["a folder that is not there yet", "folder", "new"],
])("where %s is a link out of the project, nothing is written", async (_place, link, target) => {
  const { project, outside } = makeFolders();
  const [top = ""] = link.split("/");
  symlinkSync(join(outside, target), join(project, top));
  const file = join(project, link === "victim.json" ? link : `${link}/victim.json`);
  const refusal = { code: "LINK_OUTSIDE", exitCode: 2, message: expect.stringContaining(outside) as string };
  await expect(writeAtomically(file, "evil", { project })).rejects.toMatchObject(refusal);
  await expect(assertWritable(file, project)).rejects.toMatchObject(refusal);
  expect(read(outside, "victim.json")).toBe("precious");
  expect(readdirSync(outside)).toEqual(["victim.json"]);
});

test("a chain of links counts by where it ends", async () => {
  const { project, outside } = makeFolders();
  symlinkSync("second", join(project, "first"));
  symlinkSync(join("..", "outside", "victim.json"), join(project, "second"));
  await expect(writeAtomically(join(project, "first"), "evil", { project })).rejects.toMatchObject({
    code: "LINK_OUTSIDE",
  });
  expect(read(outside, "victim.json")).toBe("precious");
});

test("a project that is itself reached by a link is one place", async () => {
  const { project, outside } = makeFolders();
  const link = join(outside, "link");
  symlinkSync(project, link);
  await writeAtomically(join(link, "a.json"), "text", { project: link });
  expect(read(project, "a.json")).toBe("text");
});

test("a path outside of the project is the user's own: its links are followed", async () => {
  const { project, outside } = makeFolders();
  symlinkSync("victim.json", join(outside, "link.json"));
  await writeAtomically(join(outside, "link.json"), "text", { project });
  await assertWritable(join(outside, "link.json"), project);
  expect(read(outside, "victim.json")).toBe("text");
  expect(lstatSync(join(outside, "link.json")).isSymbolicLink()).toBe(true);
});

test("generated files take the place of links and follow none", async () => {
  const { project, outside } = makeFolders();
  symlinkSync(join(outside, "victim.json"), join(project, "a.json"));
  await writeManyAtomically([
    [join(project, "a.json"), "one"],
    [join(project, "b/c.json"), "two"],
  ]);
  expect([read(project, "a.json"), read(project, "b/c.json")]).toEqual(["one", "two"]);
  expect(read(outside, "victim.json")).toBe("precious");
});

testOnPosix("pipes with a path")("a device or a pipe is not replaced", async () => {
  const { project } = makeFolders();
  const pipe = join(project, "pipe");
  execFileSync("mkfifo", [pipe]);
  const refused = { code: "FILE_INACCESSIBLE", message: expect.stringContaining("a device or a pipe") as string };
  await expect(assertWritable(pipe, undefined)).rejects.toMatchObject(refused);
  await expect(writeAtomically(pipe, "text", { project: undefined })).rejects.toMatchObject(refused);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test("a file that cannot be written is named, and nothing is left behind", async () => {
  const { project } = makeFolders();
  mkdirSync(join(project, "folder"));
  const file = join(project, "folder");
  const inaccessible = { code: "FILE_INACCESSIBLE", message: expect.stringContaining(file) as string };
  await expect(writeAtomically(file, "text", { project })).rejects.toMatchObject(inaccessible);
  await expect(writeManyAtomically([[file, "text"]])).rejects.toMatchObject(inaccessible);
  await expect(assertWritable(file, project)).rejects.toMatchObject(inaccessible);
  expect(readdirSync(project)).toEqual(["folder"]);
});

test("every reader of a text takes its mark off, but for files that are changed, and refuses what is not UTF-8", async () => {
  const { project } = makeFolders();
  const file = join(project, "a.txt");
  writeFileSync(file, "\uFEFFä\n");
  expect([await readText(file), readTextSync(file)]).toEqual(["ä\n", "ä\n"]);
  expect([await readMarkedText(file), await readTextIfPresent(file)]).toEqual(["\uFEFFä\n", "\uFEFFä\n"]);
  writeFileSync(file, Buffer.from("one\nM\xfcller", "latin1"));
  const refusal = { code: "TEXT_UNDECODABLE", exitCode: 2, message: `Cannot read ${file}: line 2 is not UTF-8.` };
  for (const reader of [readText, readMarkedText, readTextIfPresent])
    await expect(reader(file)).rejects.toMatchObject(refusal);
  expect(() => readTextSync(file)).toThrow(expect.objectContaining(refusal));
  expect([readTextSync(join(project, "none")), await readTextIfPresent(join(project, "none"))]).toEqual([
    ...[undefined, undefined],
  ]);
  await expect(readText(join(project, "none"))).rejects.toMatchObject({ code: "FILE_INACCESSIBLE" });
});

testOnPosix("named pipes")(
  "a pipe is read as its writer writes, and one in the place of a configuration is refused",
  async () => {
    const { project } = makeFolders();
    const pipe = join(project, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(() => readTextSync(pipe)).toThrow(expect.objectContaining({ code: "FILE_INACCESSIBLE" }));
    await expect(readText(pipe)).rejects.toMatchObject({ code: "FILE_INACCESSIBLE" });
    const text = readText(pipe, "given");
    execFileSync("sh", ["-c", 'printf "\\357\\273\\277from a pipe" > "$0"', pipe]);
    expect(await text).toBe("from a pipe");
  },
);
