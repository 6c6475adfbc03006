import { execFile } from "node:child_process";
import { mkdir, utimes } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
// @ts-expect-error -- scripts are JavaScript
import { isInstalled } from "../../scripts/installed.js";
import { withFileLock } from "../../runtime/files/file-lock.ts";

const LOCKS = resolve("node_modules/.cache/test-packages");
const KEEP_LOCK_EVERY_MS = 10_000;

/**
 * Installs the packages of a folder of tests from its lockfile with `npm ci`, unless they are there. Processes that ask at once
 * install once.
 * @throws when npm fails, with the end of what it printed
 */
export async function installPackages(folder: string): Promise<void> {
  if (await isInstalled(folder)) return;
  await mkdir(LOCKS, { recursive: true });
  const lock = join(LOCKS, basename(folder));
  await withFileLock(lock, async () => {
    if (await isInstalled(folder)) return;
    // A lock that is not renewed counts as left behind.
    const keeping = setInterval(() => {
      const now = new Date();
      utimes(`${lock}.lock`, now, now).catch(() => undefined);
    }, KEEP_LOCK_EVERY_MS);
    await runNpmCi(folder).finally(() => clearInterval(keeping));
  });
}

async function runNpmCi(folder: string): Promise<void> {
  const name = relative(resolve("."), folder).replaceAll("\\", "/");
  process.stderr.write(`Installing the packages of ${name}…\n`);
  // Some need a newer Node than this one, and run on that.
  const options = ["--engine-strict=false", "--no-audit", "--no-fund", "--prefer-offline", "--prefix", folder];
  const isWindows = process.platform === "win32";
  try {
    await promisify(execFile)("npm", ["ci", ...options], { cwd: folder, shell: isWindows });
  } catch (error) {
    const { stderr = "", message } = error as { stderr?: string; message: string };
    const cause = (stderr || message).trim().split("\n").slice(-12).join("\n");
    const hint =
      "They are needed by the long tests. Connect to an npm registry and repeat; `npm test` needs none of them.";
    throw new Error(`npm cannot install the packages of ${name}. ${hint}\n${cause}`, { cause: error });
  }
}
