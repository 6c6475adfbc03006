import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Variables of a job that are tokens, or name the files through which a process could change later steps of the job. */
const WITHHELD =
  /^(?:ACTIONS_|CI_.*(?:TOKEN|PASSWORD|USER)$|GH_|GITHUB_|GITLAB_|INPUT_|NODE_AUTH_TOKEN$|NPM_TOKEN$|REVIEW_|RUNNER_)/i;

/** The environment without what belongs to the job: codemode, its servers and its sandbox get the rest. */
export function scrubEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !WITHHELD.test(name)));
}

/**
 * The command of the codemode that the project has installed.
 * @throws where there is none
 */
export function findProgram(folder) {
  try {
    return createRequire(join(folder, "package.json")).resolve("codemode/start");
  } catch {
    throw new Error(`codemode is not installed in ${folder}: run \`npm ci\` in a step before this one.`);
  }
}

const LONGEST_OUTPUT = 10_000_000;

/**
 * Runs codemode to its end. The people who may change the configuration decide what a job starts, so it is trusted.
 * @returns the exit code (1 if a signal ended it), and what it printed
 */
export function runCodemode(program, args, { folder, env }) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...scrubEnvironment(env), CODEMODE_TRUST: "1", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      if (printed[name].length < LONGEST_OUTPUT) printed[name] += text;
    });
  }
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("close", (code) => settle({ args, code: code ?? 1, ...printed }));
  });
}
