import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { whenDone } from "./e2e/share-in-file.ts";

/** A new folder outside of the repository, which is removed after the test at hand, or after all that share it (`shareInFile`). */
export function makeTestFolder(): Promise<string> {
  return makeFolder(whenDone);
}

/** The same for all tests of a file or of a group, which it is called in. */
export function makeSharedFolder(): Promise<string> {
  return makeFolder(afterAll);
}

async function makeFolder(atEnd: (remove: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
