import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { matchOutput } from "./match-output.ts";
import { quote, writePrograms } from "./offline-programs.ts";
import { type PageStep, planSteps } from "./page-steps.ts";

/** Where a page and the programs differ. */
export interface Divergence {
  /** In the page, from 1. */
  line: number;
  command: string;
  problem: string;
}

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
    const mark = `end-of-step-${base.slice(-6)}`;
    await writeFile(join(folders.steps, "page.sh"), await writeScript(steps, folders.steps, mark));
    const env = {
      PATH: [folders.bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: folders.home,
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      // A project of another page was trusted there, in another folder; one that a page makes is trusted as the page says.
      ...(from === undefined ? {} : { CODEMODE_TRUST: "1" }),
    };
    const script = { file: join(folders.steps, "page.sh"), cwd: folders.project, env, mark, stepTimeoutMs };
    const printed = await runScript(script);
    if (to !== undefined) await cp(folders.project, to, { recursive: true, verbatimSymlinks: true });
    return compare(steps, printed, mark);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** One shell for the page, so that `cd`, variables and `$?` are kept. After each step it prints a mark with the step's exit code. */
async function writeScript(steps: readonly PageStep[], folder: string, mark: string): Promise<string> {
  const lines = ["exec 2>&1 </dev/null", `trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT`];
  for (const [index, step] of steps.entries()) {
    const file = join(folder, `${index}.txt`);
    if (step.kind === "file") await writeFile(file, step.text);
    const action =
      step.kind === "file"
        ? `{ mkdir -p ${quote(dirname(step.path))} && cp ${quote(file)} ${quote(step.path)}; }`
        : `eval ${quote(step.command)}`;
    lines.push(`${action}; __status=$?; printf '\\n${mark} %s\\n' "$__status"; (exit "$__status")`);
  }
  return `${lines.join("\n")}\n`;
}

interface PageScript {
  file: string;
  cwd: string;
  env: Record<string, string>;
  /** What it prints after each step. */
  mark: string;
  stepTimeoutMs: number;
}

async function runScript({ file, cwd, env, mark, stepTimeoutMs }: PageScript): Promise<string> {
  const shell = spawn("bash", ["--noprofile", "--norc", file], {
    ...{ cwd, env, detached: true },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // A step that never ends must not outlive its test: the shell leads a group of its own.
  const timer = setTimeout(() => process.kill(-(shell.pid as number), "SIGKILL"), stepTimeoutMs);
  let printed = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed.slice(-text.length - mark.length).includes(mark)) timer.refresh();
  });
  await new Promise((settle) => shell.once("close", settle));
  clearTimeout(timer);
  return printed;
}

function compare(steps: readonly PageStep[], printed: string, mark: string): Divergence[] {
  const ends = [...printed.matchAll(new RegExp(`\\n${mark} (\\d+)\\n`, "g"))];
  return steps.flatMap((step, index) => {
    const end = ends[index];
    const begin = index === 0 ? 0 : (ends[index - 1]?.index ?? 0) + (ends[index - 1]?.[0].length ?? 0);
    const command = step.kind === "file" ? `(file ${step.path})` : step.command;
    const diverges = (problem: string): Divergence[] => [{ line: step.line, command, problem }];
    if (end === undefined) {
      // Steps behind the one that never ended say nothing of their own.
      return index === ends.length ? diverges(`it did not end. Printed:\n${printed.slice(begin)}`) : [];
    }
    const output = printed.slice(begin, end.index);
    const problem = evaluate(step, Number(end[1]), output, steps[index + 1]);
    return problem === undefined ? [] : diverges(problem);
  });
}

/** What is wrong with how a step ended and what it printed; undefined where nothing is. */
export function evaluate(step: PageStep, code: number, output: string, next?: PageStep): string | undefined {
  if (step.kind === "file") return code === 0 ? undefined : output;
  const showsCode = next?.kind === "command" && next.command.trim() === "echo $?";
  if (step.fails && code === 0) return "it ended with 0, although the block says that it fails";
  if (!step.fails && code !== 0 && !showsCode) return `it ended with ${code}. Printed:\n${output.trim()}`;
  return step.shown === undefined ? undefined : matchOutput(step.shown, output);
}
