// Locks the servers again and generates their packages. It writes what has changed to a file for the step that holds a token.
import { execFileSync } from "node:child_process";
import { appendFileSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { log, logForeign, runStep, setOutputs } from "./parts/job-log.mjs";
import { optionsOf, readSettings } from "./parts/read-settings.mjs";
import { findProgram, runCodemode, scrubEnvironment } from "./parts/run-codemode.mjs";
import { markerOf } from "./parts/summarize.mjs";

await runStep(async (env) => {
  const settings = readSettings(env);
  const { folder, name } = settings;
  const program = findProgram(folder);
  const run = async (...args) => {
    const ended = await runCodemode(program, [...args, ...optionsOf(settings)], { folder, env });
    log(`codemode ${args.join(" ")}: exit code ${ended.code}`);
    if (ended.code !== 0) logForeign(ended.stderr);
    return ended;
  };
  const diff = await run("diff", "--format", "markdown");
  const locked = await run("lock");
  const generated = await run("generate");
  const files = listChanged(folder, (env.REVIEW_PATHS || "codemode.lock.json generated").trim().split(/\s+/), env);
  const body = `${markerOf(name)}\n\n## codemode: renewed lockfile\n\n${diff.stdout.trim()}\n`;
  const code = locked.code || generated.code;
  writeFileSync(settings.resultFile, JSON.stringify({ name, code, body, files }));
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, body);
  setOutputs(env.GITHUB_OUTPUT, {
    drift: files.length > 0,
    "exit-code": code,
    result: settings.resultFile,
  });
  return 0;
});

/** The files below `paths` that git sees as changed, with their texts; null for one that is gone. Paths are relative to the repository. */
function listChanged(folder, paths, env) {
  const git = (...args) => execFileSync("git", args, { cwd: folder, encoding: "utf8", env: scrubEnvironment(env) });
  const root = git("rev-parse", "--show-toplevel").trim();
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", ...paths];
  return git(...args)
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3))
    .map((path) => ({ path, content: readRegular(join(root, path)) }));
}

/** A link is refused: a server could have put one there to a file of the machine. */
function readRegular(file) {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile()) throw new Error("A generated file is no regular file.");
  return readFileSync(file, "utf8");
}
