import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FOLDER = fileURLToPath(new URL("../../deploy/cloudflare/", import.meta.url));
export const TOKEN = "a token of a test, which is long enough";
const START_TIMEOUT_MS = 20_000;

export interface LocalWorkerd {
  pid: number;
  url: string;
  close(): Promise<void>;
}

/** Serves a linked Worker by the npm package `workerd`, which is installed on demand. */
export async function startWorkerd(worker: string): Promise<LocalWorkerd> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-workerd-"));
  await writeFile(join(folder, "worker.js"), worker);
  await copyFile(join(FOLDER, "local.capnp"), join(folder, "local.capnp"));
  const program = await installWorkerd();
  const schemas = join(FOLDER, "node_modules/workerd");
  const child = spawn(
    program,
    ["serve", "--experimental", "--control-fd=3", `--import-path=${schemas}`, join(folder, "local.capnp")],
    { env: { CODEMODE_TOKEN: TOKEN }, stdio: ["ignore", "ignore", "inherit", "pipe"], timeout: 600_000 },
  );
  const close = async (): Promise<void> => {
    const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${await readPort(child.stdio[3] as Readable)}`, close };
}

function readPort(control: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error("workerd did not start")), START_TIMEOUT_MS);
    let text = "";
    control.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const port = /"port":\s*(\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(timeout);
      resolve(Number(port));
    });
  });
}

/** The program itself, without the launcher that the package puts in front of it. */
async function installWorkerd(): Promise<string> {
  const require = createRequire(join(FOLDER, "package.json"));
  if (!existsSync(join(FOLDER, "node_modules/workerd"))) {
    // Some registries lack the programs of other platforms, and `npm ci` refuses a lockfile without them.
    await promisify(execFile)("npm", ["install", "--no-save", "--ignore-scripts"], { cwd: FOLDER });
  }
  const name = `@cloudflare/workerd-${process.platform}-${process.arch === "x64" ? "64" : process.arch}`;
  return require.resolve(`${name}/bin/workerd`);
}
