import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { holdsText } from "../../engine/project/files.ts";
import { formatLockfile, parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { assignServerIds } from "../../schemas/lock/server-ids.ts";
import { assignFileNames, planServer } from "../../templates/plan.ts";
import { emitServer } from "../../templates/emit.ts";
import { lockedServer, lockfileOf } from "../templates/lockfile-of.ts";

const DEVICES = ["con", "prn", "aux", "nul", "com0", "com1", "com9", "lpt0", "lpt1", "lpt9", "conin$", "conout$"];

/** A name in any case is a device, also with an extension; a dot or a space at the end counts for nothing. */
const isDevice = (name: string): boolean =>
  /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)[ .]*(?:\.|$)/i.test(name);

test.each([...DEVICES, "CON", "Aux", "con.", "nul ", "con.txt", "LPT1.json", "a.", "a "])(
  "a server and a tool called %j have folders and files that Windows can make",
  async (name) => {
    const [id = ""] = assignServerIds([name]);
    for (const { path } of await emitServer(
      planServer(lockedServer(id, [{ name, inputSchema: { type: "object" } }])),
    )) {
      expect(path.split("/").filter((part) => isDevice(part) || /[ .]$/.test(part))).toEqual([]);
    }
  },
);

test.each([
  [["con"], ["con--2"]],
  [
    ["con", "CON", "Con."],
    ["con--2", "con--3", "con--4"],
  ],
  [
    ["con--2", "con"],
    ["con-2", "con--2"],
  ],
  [
    ["console", "com10", "aux-1", "lpt"],
    ["console", "com10", "aux-1", "lpt"],
  ],
  [
    ["Foo", "foo", "FOO"],
    ["foo", "foo--2", "foo--3"],
  ],
])("servers %j have the ids %j", (names, ids) => {
  expect(assignServerIds(names)).toEqual(ids);
});

test("no file of a tool has a name of a device, and no two are one where case does not count", () => {
  const names = [...DEVICES, ...DEVICES.map((name) => name.toUpperCase()), "Foo", "foo", "FOO"];
  const files = [...assignFileNames(names).values()];
  expect(files.filter(isDevice)).toEqual([]);
  expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(names.length);
});

test("paths of generated files fit Windows: their signs, and the length that programs without long paths have", async () => {
  const tools = ["a/b:c*d?e", `x${"y".repeat(300)}`, 'q"<>|'].map((name) => ({
    name,
    inputSchema: { type: "object" },
  }));
  for (const { path } of await emitServer(planServer(lockedServer("files", tools)))) {
    expect(path).toMatch(/^[\w$./-]+$/);
    expect(win32.join("C:\\Users\\a-person-with-a-long-name\\source\\project\\generated", path).length).toBeLessThan(
      260,
    );
  }
});

test("files that git checked out with CRLF are what was generated, and the lockfile is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "codemode-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "index.js");
  writeFileSync(file, "one\r\ntwo\r\n");
  expect([holdsText(file, "one\ntwo\n"), holdsText(file, "one\n\ntwo\n")]).toEqual([true, false]);
  const lockfile = lockfileOf({ a: [{ name: "b", description: "one\ntwo", inputSchema: { type: "object" } }] });
  const text = formatLockfile(lockfile).replaceAll("\n", "\r\n");
  expect(formatLockfile(parseLockfile(text, "codemode.lock.json"))).toBe(formatLockfile(lockfile));
});
