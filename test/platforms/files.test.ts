import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { holdsText } from "../../engine/project/files.ts";
import { formatLockfile } from "../../schemas/lock/format-lockfile.ts";
import { parseLockfile } from "../../schemas/lock/parse-lockfile.ts";
import { assignFileNames } from "../../templates/text/file-name.ts";
import { emitServer } from "../../templates/emit.ts";
import { planServer } from "../../templates/plan.ts";
import { lockedServer, lockfileOf } from "../templates/lockfile-of.ts";

test("no file of a tool has a name of a device, and no two are one where case does not count", () => {
  const names = ["con", "CON", "aux", "nul", "com1", "LPT9", "CONIN$", "conout$", "Foo", "foo", "FOO"];
  const files = [...assignFileNames(names).values()];
  expect(files.filter((name) => /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i.test(name))).toEqual([]);
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
