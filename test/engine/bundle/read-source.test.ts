import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { isUnchanged, readSource } from "../../../engine/bundle/modules/source-files.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

afterEach(() => {
  vi.useRealTimers();
});

async function makeFile(text: string): Promise<string> {
  const file = join(await makeTestFolder(), "tool.js");
  writeFileSync(file, text);
  return file;
}

/** As if the last change lay so long ago that another one has another time. */
function letTimePass(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
}

test("reads a file once as long as it is not written", async () => {
  const file = await makeFile("1");
  letTimePass();
  const read = readSource(file);
  expect(read.text).toBe("1");
  expect(readSource(file)).toMatchObject(read);
  expect(readSource(file).source).toBe(readSource(file).source);
});

test("reads a file again that was written with the same size", async () => {
  const file = await makeFile("1");
  letTimePass();
  const { source } = readSource(file);
  expect(isUnchanged(source)).toBe(true);
  writeFileSync(file, "2");
  expect(isUnchanged(source)).toBe(false);
  expect(readSource(file).text).toBe("2");
});

test("does not trust a stamp that a second change could have left as it is", async () => {
  const file = await makeFile("1");
  const { source } = readSource(file);
  writeFileSync(file, "2");
  expect(readSource(file).text).toBe("2");
  expect(isUnchanged(source)).toBe(false);
});
