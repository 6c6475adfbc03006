import { rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { digestOf, type EmittedServer, findIntact } from "../../../../engine/project/emit/emit-changed.ts";
import { makeTestFolder } from "../../../make-test-folder.ts";

const TEXT = "export const a = 1;\n";
const SAME_LENGTH = "export const a = 2;\n";

let folder = "";
let emitted: EmittedServer;

beforeEach(async () => {
  folder = await makeTestFolder();
  const digests = new Map(["a.js", "b.js"].map((path) => [path, digestOf(TEXT)]));
  emitted = { source: "", modules: new Map(), digests, stamps: new Map() };
  for (const path of digests.keys()) writeFileSync(join(folder, path), TEXT);
});

/** What is known after a look at the files, some seconds after they were written. */
function lookLater(): EmittedServer {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3000 });
  onTestFinished(() => void vi.useRealTimers());
  return { ...emitted, stamps: findIntact(folder, emitted).stamps };
}

test("a stamp is kept once it is older than the clock of a file system is coarse", () => {
  expect(findIntact(folder, emitted)).toEqual({ paths: new Set(["a.js", "b.js"]), stamps: new Map() });
  expect([...lookLater().stamps.keys()]).toEqual(["a.js", "b.js"]);
});

test("a file with a known stamp is not read, any other is", () => {
  const { stamps } = lookLater();
  const digests = new Map([...emitted.digests.keys()].map((path) => [path, digestOf("other")]));
  expect([...findIntact(folder, { ...emitted, digests, stamps }).paths]).toEqual(["a.js", "b.js"]);
  expect([...findIntact(folder, { ...emitted, digests }).paths]).toEqual([]);
});

test.each<[name: string, change: (file: string) => void]>([
  ["of the same size whose time was set back", (file) => editInSecret(file)],
  ["to a link that leads to another text", (file) => replaceByLink(file)],
  ["to a file that is gone", (file) => rmSync(file)],
])("a change %s is found, and its stamp is dropped", (_, change) => {
  const known = lookLater();
  change(join(folder, "a.js"));
  const found = findIntact(folder, known);
  expect([...found.paths]).toEqual(["b.js"]);
  expect([...found.stamps.keys()]).toEqual(["b.js"]);
});

function editInSecret(file: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, SAME_LENGTH);
  utimesSync(file, atime, mtime);
}

function replaceByLink(file: string): void {
  writeFileSync(join(folder, "c.js"), SAME_LENGTH);
  rmSync(file);
  symlinkSync("c.js", file);
}
