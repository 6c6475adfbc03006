import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const TOOLS = resolve("test/publishing/node_modules");
const run = promisify(execFile);

/** The compilers that the types of a package must please, each as a program. */
export const COMPILERS: ReadonlyMap<string, string> = new Map([
  ["5.4", `${TOOLS}/typescript-5.4/bin/tsc`],
  ["5.9", `${TOOLS}/typescript-5.9/bin/tsc`],
  ["6.0", `${TOOLS}/typescript-6.0/bin/tsc`],
  ["7.0", resolve("node_modules/typescript/bin/tsc")],
]);

export const PNPM = `${TOOLS}/pnpm/bin/pnpm.cjs`;

/** What a program said, and whether it was content. */
export interface Verdict {
  ok: boolean;
  output: string;
}

/** Runs a program written for Node. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Verdict> {
  try {
    const { stdout, stderr } = await run(process.execPath, [program, ...args], options);
    return { ok: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { ok: false, output: stdout + stderr };
  }
}
