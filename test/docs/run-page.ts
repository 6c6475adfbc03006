import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheHome } from "../../runtime/files/cache-folder.ts";
import { type Divergence, followSteps } from "./follow-steps.ts";
import { writePrograms } from "./offline-programs.ts";
import { planSteps } from "./page-steps.ts";

export interface RunPageOptions {
  /** The content of the folder to begin in; an empty one where absent. */
  from?: string;
  /** Where to leave a copy of the folder as the page left it. */
  to?: string;
  /** Whether `sh` blocks, of which nothing is shown, are typed as well (default: yes). */
  withSh?: boolean;
  /** Commands that are tried elsewhere. */
  leaveOut?: (command: string) => boolean;
  /** For each step, in milliseconds; by default less than a test of one program may take, so that the step that never ends is named. */
  stepTimeoutMs?: number;
}

/** For a test that follows a page, a chain of some twenty programs. Each of them has a bound of its own. */
export const PAGE_TIMEOUT_MS = 180_000;

/**
 * Follows a page as a reader does, from its first block to its last: writes each block with `title=FILE` into that file, types each `$ ` command of the
 * `console` blocks and each `sh` block into one shell, and compares what is printed (standard output and error together) with what the page shows.
 * Begins in a folder of its own with an empty home. On the PATH are the built `codemode`, and an `npx` and an `npm install` that take
 * packages from this repository's node_modules: no network is used.
 */
export async function runPage(
  text: string,
  { from, to, withSh = true, leaveOut = () => false, stepTimeoutMs = 25_000 }: RunPageOptions = {},
): Promise<Divergence[]> {
  const base = await mkdtemp(join(tmpdir(), "codemode-page-"));
  try {
    const folders = {
      project: join(base, "project"),
      home: join(base, "home"),
      bin: join(base, "bin"),
      steps: join(base, "steps"),
    };
    for (const folder of Object.values(folders)) await mkdir(folder);
    if (from !== undefined) await cp(from, folders.project, { recursive: true, verbatimSymlinks: true });
    await writePrograms(folders.bin);
    const steps = planSteps(text, withSh).filter((step) => step.kind === "file" || !leaveOut(step.command));
    const env = {
      PATH: [folders.bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: folders.home,
      XDG_CACHE_HOME: cacheHome(),
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      // A project of another page was trusted there, in another folder; one that a page makes is trusted as the page says.
      ...(from === undefined ? {} : { CODEMODE_TRUST: "1" }),
    };
    const place = { cwd: folders.project, env, steps: folders.steps, stepTimeoutMs };
    const { divergences } = await followSteps(steps, place);
    if (to !== undefined) await cp(folders.project, to, { recursive: true, verbatimSymlinks: true });
    return divergences;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}
