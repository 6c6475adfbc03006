import { makeGeneratedProject, writeFiles } from "./run-codemode.ts";

/** Makes a copy of the shared project for one test, with these files changed or added. */
export type CopyProject = (changed?: Record<string, unknown>) => Promise<string>;

/** Locks and generates a project once for the tests of a file, which is slow; each test works in a copy of its own. */
export function shareProject(files: Record<string, unknown>): CopyProject {
  return async (changed = {}) => {
    const cwd = await makeGeneratedProject(files);
    await writeFiles(cwd, changed);
    return cwd;
  };
}
