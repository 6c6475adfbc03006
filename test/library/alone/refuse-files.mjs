// `node --import "refuse-files.mjs?notes=FILE"` refuses what this process and its forks ask of the file system beside the code that is
// installed and the system's own files, and adds each such path to FILE as a line.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const NOTES = new URL(import.meta.url).searchParams.get("notes");
const SYSTEM = ["/proc/", "/sys/", "/dev/", "/bin/", "/sbin/", "/usr/"];
const ALLOWED = [fileURLToPath(new URL("../../../", import.meta.url)), NOTES, ...SYSTEM];
const TWO_PATHS = new Set(["rename", "copyFile", "cp", "link", "symlink"]);
const note = fs.appendFileSync;

const toPath = (given) => resolve(given instanceof URL ? fileURLToPath(given) : String(given));
const isPath = (given) => typeof given === "string" || given instanceof URL || Buffer.isBuffer(given);
// TypeScript looks at its own file in upper case, to learn whether case counts.
const isAllowed = (path) => ALLOWED.some((folder) => `${path}${sep}`.toLowerCase().startsWith(folder.toLowerCase()));

function refusal(name, given) {
  const paths = given.slice(0, TWO_PATHS.has(name.replace("Sync", "")) ? 2 : 1).filter(isPath);
  const refused = paths.map(toPath).filter((path) => !isAllowed(path));
  if (refused.length === 0) return undefined;
  for (const path of refused) note(NOTES, `${name} ${path}\n`);
  return Object.assign(new Error(`EACCES: ${name} of ${refused.join(", ")} is refused`), { code: "EACCES" });
}

/** Each function that takes a path. */
function guard(owner, isAsync) {
  for (const [name, work] of Object.entries(owner)) {
    if (typeof work !== "function" || /^[A-Z_]/.test(name)) continue;
    owner[name] = Object.assign(function (...given) {
      const error = refusal(name, given);
      if (error === undefined) return work.apply(this, given);
      if (name === "existsSync") return false;
      if (isAsync) return Promise.reject(error);
      const callback = given.at(-1);
      if (typeof callback !== "function") throw error;
      process.nextTick(callback, error);
      return undefined;
    }, work);
  }
}
guard(fs, false);
guard(fs.promises, true);

const { fork } = childProcess;
childProcess.fork = (program, args, options) =>
  fork(program, args, { ...options, execArgv: ["--import", import.meta.url, ...(options?.execArgv ?? [])] });
syncBuiltinESMExports();
