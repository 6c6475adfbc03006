// What `npm start` and `npm test` do first: installs and builds where a clone has not been installed yet, or its lockfile has changed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isInstalled } from "./installed.js";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const isBuilt = existsSync(new URL("../dist/program/library.js", import.meta.url));

// Without the path of npm a shell finds it.
const npm = process.env.npm_execpath;
const runNpm = (...words) =>
  npm === undefined
    ? spawnSync(`npm ${words.join(" ")}`, { cwd, shell: true, stdio: "inherit" })
    : spawnSync(process.execPath, [npm, ...words], { cwd, stdio: "inherit" });

if (!(await isInstalled(cwd))) {
  process.stderr.write("Installing the packages of package-lock.json…\n");
  process.exitCode = runNpm("ci").status ?? 1;
} else if (!isBuilt) process.exitCode = runNpm("run", "build").status ?? 1;
