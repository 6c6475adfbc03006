import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { assertOutput, type OutputKind, writeOutputFile } from "../../../engine/project/output-file.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await makeTestFolder();
});

const REPORT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-x'">`;

const EARLIER: [OutputKind, string | Buffer][] = [
  ["audit log", '{"v":1,"time":"2026-11-27T00:00:00.000Z","event":"run.started"}\n'],
  // A disk was full in the middle of the first line.
  ["audit log", '{"v":\n{"v":1,"time":"2026-11-27T00:00:00.000Z","event":"run.started"}\n'],
  ["journal", '{"journalVersion":3,"program":"sha256-x"}\n'],
  ["package statement", '{\n  "_type": "https://in-toto.io/Statement/v1"}'],
  ["package tarball", Buffer.from([0x1f, 0x8b, 8, 0])],
  ["pinned bundle", '{\r\n    "bundleVersion": 1,\r\n    "code": ""}'],
  ["recording", '\uFEFF{\n  "recordingVersion": 1'],
  ["report", REPORT],
];

test.each(EARLIER)(
  "an earlier %s is replaced, a first one is written, and an empty file is filled",
  async (kind, text) => {
    for (const [name, before] of [["earlier", text], ["empty", ""], ["first"]] as const) {
      const file = join(folder, `${name}.out`);
      if (before !== undefined) await writeFile(file, before);
      await expect(assertOutput(file, kind, folder)).resolves.toBeUndefined();
      await writeOutputFile(file, "new", { kind, project: folder });
      expect(await readFile(file, "utf8")).toBe("new");
    }
  },
);

test.each([...new Set(EARLIER.map(([kind]) => kind))])(
  "a file of another kind is not written over by a %s",
  async (kind) => {
    const others: [string, string | Buffer][] = [
      ["notes.md", "# A year of notes\n"],
      ["codemode.config.json", '{ "mcpServers": {} }'],
      ["codemode.lock.json", ""],
      ["empty.ts", ""],
      ["package.json", '{ "name": "x" }'],
      ["page.html", "<!doctype html><html><head><title>mine</title></head></html>"],
      ["data.jsonl", '{"v":1}\n{"v":2}\n'],
      ...EARLIER.filter(([other]) => other !== kind).map(([other, text]): [string, string | Buffer] => [other, text]),
    ];
    for (const [name, text] of others) {
      const file = join(folder, name);
      await writeFile(file, text);
      const refusal = { code: "OUTPUT_NOT_OURS", exitCode: 2, message: expect.stringContaining(name) };
      await expect(assertOutput(file, kind, folder), name).rejects.toMatchObject(refusal);
      await expect(writeOutputFile(file, "new", { kind, project: folder }), name).rejects.toMatchObject(refusal);
      expect(await readFile(file)).toEqual(Buffer.from(text));
    }
  },
);

test("a link leads to the file that would be written", async () => {
  await writeFile(join(folder, "notes.md"), "notes");
  await symlink("notes.md", join(folder, "run.json"));
  await expect(assertOutput(join(folder, "run.json"), "recording", folder)).rejects.toMatchObject({
    code: "OUTPUT_NOT_OURS",
  });
});
