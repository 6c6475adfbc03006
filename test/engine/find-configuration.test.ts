import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findConfiguration } from "@codemode/runtime/find-configuration";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { testOnPosix } from "../platforms/needs.ts";

const OTHER_USER = 12_345;
const isRoot = process.getuid?.() === 0;

let root: string;
let start: string;

/** A project at `root/project`, and a folder in it from which to search. */
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "codemode-find-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  start = join(root, "project", "src", "deep");
  mkdirSync(start, { recursive: true });
});

function write(...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "{}");
  return file;
}

test("the nearest folder that has a configuration wins, then the order of the names", () => {
  write("codemode.config.json");
  write("project", ".vscode", "mcp.json");
  const wanted = write("project", ".mcp.json");
  expect(findConfiguration(start)).toEqual({ file: wanted, refused: [] });
  const nearer = write("project", "src", ".cursor", "mcp.json");
  expect(findConfiguration(start).file).toBe(nearer);
});

test("a configuration of the home folder is for that folder alone", () => {
  const file = write("codemode.config.json");
  expect(findConfiguration(start, root)).toEqual({ file: undefined, refused: [] });
  expect(findConfiguration(root, root).file).toBe(file);
  const link = `${root}-link`;
  symlinkSync(root, link);
  onTestFinished(() => rmSync(link));
  expect(findConfiguration(start, link).file).toBeUndefined();
});

testOnPosix("modes of files")("what everybody can write is not taken from below, but from the folder itself", () => {
  const file = write("project", "codemode.config.json");
  chmodSync(join(root, "project"), 0o1777);
  expect(findConfiguration(start)).toEqual({ file: undefined, refused: [file] });
  expect(findConfiguration(join(root, "project")).file).toBe(file);
  chmodSync(join(root, "project"), 0o755);
  chmodSync(file, 0o666);
  expect(findConfiguration(start)).toEqual({ file: undefined, refused: [file] });
  chmodSync(file, 0o664);
  expect(findConfiguration(start).file).toBe(file);
});

testOnPosix("modes of files")("the folder of a client counts as well", () => {
  const file = write("project", ".cursor", "mcp.json");
  chmodSync(join(root, "project", ".cursor"), 0o777);
  expect(findConfiguration(start)).toEqual({ file: undefined, refused: [file] });
});

test("a link that leads nowhere, or to itself, is no configuration", () => {
  symlinkSync("nowhere", join(root, "project", "codemode.config.json"));
  symlinkSync(".mcp.json", join(root, "project", ".mcp.json"));
  expect(findConfiguration(start).file).toBeUndefined();
});

// Only root can give files to another user.
test.runIf(isRoot)("a project of another user is not taken, nor is another user's link to an own file", () => {
  const file = write("project", "codemode.config.json");
  chownSync(file, OTHER_USER, OTHER_USER);
  expect(findConfiguration(start)).toEqual({ file: undefined, refused: [file] });
  chownSync(file, 0, 0);
  chownSync(join(root, "project"), OTHER_USER, OTHER_USER);
  expect(findConfiguration(start)).toEqual({ file: undefined, refused: [file] });
  chownSync(join(root, "project"), 0, 0);
  expect(findConfiguration(start).file).toBe(file);

  rmSync(file);
  symlinkSync(write("elsewhere.json"), file);
  expect(findConfiguration(start).file).toBe(file);
  lchownSync(file, OTHER_USER, OTHER_USER);
  expect(findConfiguration(start)).toEqual({ file: undefined, refused: [file] });
});
