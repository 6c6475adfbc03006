import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Registers what ends something: `onTestFinished`, or `afterAll` for what the tests of a file share. */
export type AtEnd = (end: () => Promise<void> | void) => void;

/** A new folder outside of the repository for the test at hand, which is removed after it. */
export async function makeTestFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
