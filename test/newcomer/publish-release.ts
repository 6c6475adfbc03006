import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "../../schemas/version.ts";
import type { Registry } from "../publishing/registry.ts";

/** What the workflow of a release says of itself. */
const WORKFLOW = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "someone/codemode" };
/** What installed packages say then. */
export const REPOSITORY = "git+https://github.com/someone/codemode.git";

/**
 * Publishes the packages of a built clone to the registry with the program of the release workflow. Two words to npm are left out: `run build`,
 * since the clone is built, and `--provenance`, which needs the workflow's identity.
 * @param folder for the program that leaves them out
 */
export async function publishRelease(clone: string, folder: string, { environment }: Registry): Promise<void> {
  const run = promisify(execFile);
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...words], { cwd: clone });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "release");
  await git("tag", `v${VERSION}`);
  await mkdir(folder);
  await writeFile(join(folder, "npm"), NPM, { mode: 0o755 });
  const env = { ...environment, ...WORKFLOW, OWN_PATH: environment["PATH"], PATH: `${folder}:${environment["PATH"]}` };
  await run(process.execPath, [resolve("scripts/release.js"), "--publish"], { cwd: clone, env });
}

const NPM = `#!${process.execPath}
const words = process.argv.slice(2).filter((word) => word !== "--provenance");
if (words[0] === "run") process.exit(0);
const env = { ...process.env, PATH: process.env.OWN_PATH };
process.exit(require("node:child_process").spawnSync("npm", words, { stdio: "inherit", env }).status ?? 1);
`;
