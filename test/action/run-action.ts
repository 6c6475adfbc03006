import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

interface Step {
  id?: string;
  if?: string;
  env?: Record<string, string>;
  run: string;
}

interface ActionFile {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
}

const FOLDER = resolve("action");
const ACTION = parse(readFileSync(join(FOLDER, "action.yml"), "utf8")) as ActionFile;

/** A job as a runner starts it. */
export interface Job {
  /** Where its repository is checked out. */
  folder: string;
  inputs?: Record<string, string>;
  /** What the runner and the workflow set. */
  env: Record<string, string>;
  token: string;
}

export interface FinishedJob {
  code: number;
  log: string;
  summary: string;
  outputs: Record<string, string>;
}

/** Runs the steps of the Action as its runner does: conditions, inputs in the environment, files for outputs and the summary. */
export async function runAction({ folder, inputs: given = {}, env, token }: Job): Promise<FinishedJob> {
  const defaults = Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]);
  const inputs = { ...(Object.fromEntries(defaults) as Record<string, string>), token, ...given };
  const files = { GITHUB_STEP_SUMMARY: join(folder, "../summary.md"), GITHUB_OUTPUT: join(folder, "../output.txt") };
  for (const file of Object.values(files)) rmSync(file, { force: true });
  const job: FinishedJob = { code: 0, log: "", summary: "", outputs: {} };
  for (const step of ACTION.runs.steps) {
    if (step.if !== undefined && !isTrue(step.if, inputs)) continue;
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value, inputs)]);
    const all = { ...env, ...files, RUNNER_TEMP: join(folder, ".."), GITHUB_ACTION_PATH: FOLDER };
    const { code, log } = await runStep(step.run, folder, { ...all, ...Object.fromEntries(own) });
    job.log += log;
    job.code = code;
    if (code !== 0) break;
  }
  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  job.summary = read(files.GITHUB_STEP_SUMMARY);
  job.outputs = Object.fromEntries(read(files.GITHUB_OUTPUT).trim().split("\n").map(toPair));
  return job;
}

function toPair(line: string): [string, string] {
  return [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)];
}

function fill(text: string, inputs: Record<string, string>): string {
  return text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputs[name] ?? "");
}

/** `inputs.a == 'x' && inputs.b == 'y'`. */
function isTrue(condition: string, inputs: Record<string, string>): boolean {
  return condition.split(" && ").every((part) => {
    const [, name = "", value] = /^inputs\.([\w-]+) == '(.*)'$/.exec(part) ?? [];
    return inputs[name] === value;
  });
}

function runStep(run: string, cwd: string, env: Record<string, string>): Promise<{ code: number; log: string }> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (log += text));
  return new Promise((settle) => child.once("close", (code) => settle({ code: code ?? 1, log })));
}
