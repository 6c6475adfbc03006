import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

/** crun refuses machines with both versions of cgroups. */
const RUNTIME = existsSync("/usr/sbin/runc") ? ["--runtime", "runc"] : [];

/** Ends of a command: its output, and its exit code, which is no exception. */
export interface Ended {
  code: number;
  output: string;
}

export async function podman(...words: string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)("podman", [...RUNTIME, ...words], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, output: `${stdout}${stderr}`.trim() };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: number | string; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw new Error("Podman is not installed: apt-get install podman", { cause: error });
    return { code, output: `${stdout}${stderr}`.trim() };
  }
}

/** The output of a command that has to succeed. */
export async function podmanOk(...words: string[]): Promise<string> {
  const { code, output } = await podman(...words);
  if (code !== 0) throw new Error(`podman ${words[0]}: ${output.slice(-4000)}`);
  return output;
}
