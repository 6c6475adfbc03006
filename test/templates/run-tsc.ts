import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

/** Type-checks a project with the repository's compiler; gives the lines that it prints, none when all is well. */
export async function runTsc(project: string): Promise<string[]> {
  const ended = promisify(execFile)(process.execPath, [TSC, "-p", project, "--pretty", "false"], {
    maxBuffer: 2 ** 26,
  });
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => line !== "");
}
