import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { whenDone } from "./e2e/share-in-file.ts";

/** A new folder outside of the repository, which is removed after the test at hand, or after all that share it (`shareInFile`). */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The same for all tests of a file or of a group, which it is called in. */
export async function makeSharedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
