import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { makeProject, runCodemode } from "./run-codemode.ts";

/** Makes a copy of the shared project for one test, with these files changed or added. */
export type CopyProject = (changed?: Record<string, unknown>) => Promise<string>;

/** Locks and generates a project once for the tests of a file, which is slow; each test works in a copy of its own. */
export function shareProject(files: Record<string, unknown>): CopyProject {
  let original = "";
  beforeAll(async () => {
    original = await mkdtemp(join(tmpdir(), "codemode-test-"));
    await writeFiles(original, files);
    const generated = await runCodemode(["generate"], { cwd: original });
    expect(generated.code, generated.stderr).toBe(0);
  });
  afterAll(() => rm(original, { recursive: true }));
  return async (changed = {}) => {
    const cwd = await makeProject({});
    await cp(original, cwd, { recursive: true, verbatimSymlinks: true });
    await writeFiles(cwd, changed);
    return cwd;
  };
}

async function writeFiles(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}
