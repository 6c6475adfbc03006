import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { matchOutput } from "./match-output.ts";
import { quote } from "./offline-programs.ts";
import type { PageStep } from "./page-steps.ts";

/** Where a page and the programs differ. */
export interface Divergence {
  /** In the page, from 1. */
  line: number;
  command: string;
  problem: string;
}

/** Where the steps of a page are done. */
export interface Place {
  /** The folder to begin in. */
  cwd: string;
  /** Of the shell, with nothing else in it. */
  env: Record<string, string>;
  /** An empty folder for the script of the steps. */
  steps: string;
  /** The words in front of `bash`, for a shell that sees a part of the machine. */
  wrap?: readonly string[];
  /** For each step; the one that never ends is named. */
  stepTimeoutMs: number;
}

export interface Followed {
  divergences: Divergence[];
  /** How long each step took. */
  seconds: number[];
}

/**
 * Does the steps in one shell, so that `cd`, variables and `$?` are kept: writes files, types commands, and compares what is printed (standard output and
 * error together) with what the page shows.
 */
export async function followSteps(steps: readonly PageStep[], place: Place): Promise<Followed> {
  const mark = `end-of-step-${Math.random().toString(36).slice(2, 8)}`;
  const file = join(place.steps, "page.sh");
  await writeFile(file, await writeScript(steps, place.steps, mark));
  const printed = await runScript(file, mark, place);
  const ends = [...printed.matchAll(new RegExp(`\\n${mark} (\\d+) ([\\d.]*)\\n`, "g"))];
  const [started = 0, ...times] = ends.map(([, , time]) => Number(time));
  const seconds = times.map((time, index) => time - (times[index - 1] ?? started));
  return { divergences: compare(steps, printed, ends), seconds };
}

/** Before the first step and after each the script prints a mark with the exit code and the time. */
async function writeScript(steps: readonly PageStep[], folder: string, mark: string): Promise<string> {
  const lines = ["exec 2>&1 </dev/null", `trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT`];
  lines.push(`printf '\\n${mark} 0 %s\\n' "$EPOCHREALTIME"`);
  for (const [index, step] of steps.entries()) {
    const file = join(folder, `${index}.txt`);
    if (step.kind === "file") await writeFile(file, step.text);
    const action =
      step.kind === "file"
        ? `{ mkdir -p ${quote(dirname(step.path))} && cp ${quote(file)} ${quote(step.path)}; }`
        : `eval ${quote(step.command)}`;
    lines.push(`${action}; __status=$?; printf '\\n${mark} %s %s\\n' "$__status" "$EPOCHREALTIME"; (exit "$__status")`);
  }
  return `${lines.join("\n")}\n`;
}

async function runScript(file: string, mark: string, { cwd, env, wrap = [], stepTimeoutMs }: Place): Promise<string> {
  const [program, ...words] = [...wrap, "bash", "--noprofile", "--norc", file];
  const shell = spawn(program as string, words, {
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
  await once(shell, "close");
  clearTimeout(timer);
  return printed;
}

function compare(steps: readonly PageStep[], printed: string, ends: readonly RegExpExecArray[]): Divergence[] {
  return steps.flatMap((step, index) => {
    const [before, end] = [ends[index], ends[index + 1]];
    const begin = before === undefined ? 0 : before.index + before[0].length;
    const command = step.kind === "file" ? `(file ${step.path})` : step.command;
    const diverges = (problem: string): Divergence[] => [{ line: step.line, command, problem }];
    if (end === undefined) {
      // Steps behind the one that never ended say nothing of their own.
      return index === Math.max(ends.length - 1, 0)
        ? diverges(`it did not end. Printed:\n${printed.slice(begin)}`)
        : [];
    }
    const problem = evaluate(step, Number(end[1]), printed.slice(begin, end.index), steps[index + 1]);
    return problem === undefined ? [] : diverges(problem);
  });
}

/** Where work takes more than ten seconds, codemode says so in a log, as in `Comparing: 0 of 1, waiting for files`: that is of the machine, and not of the page. */
const PROGRESS = /^[A-Z][a-z]+: \d+ of \d+(?:, .*)?\n/gm;

/** What is wrong with how a step ended and what it printed; undefined where nothing is. */
export function evaluate(step: PageStep, code: number, output: string, next?: PageStep): string | undefined {
  if (step.kind === "file") return code === 0 ? undefined : output;
  const showsCode = next?.kind === "command" && next.command.trim() === "echo $?";
  if (step.fails && code === 0) return "it ended with 0, although the block says that it fails";
  if (!step.fails && code !== 0 && !showsCode) return `it ended with ${code}. Printed:\n${output.trim()}`;
  return step.shown === undefined ? undefined : matchOutput(step.shown, output.replaceAll(PROGRESS, ""));
}
