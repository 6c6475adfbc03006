import type { ChildProcess } from "node:child_process";

/** What a finished process left. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /** The binary of another version. */
  node?: string;
}

/** Waits for the end of a process, and gives what it has printed. */
export async function whenFinished(child: ChildProcess): Promise<Finished> {
  const finished: Finished = { code: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => (finished[name] += text));
  finished.code = await new Promise((settle) => child.once("close", settle));
  return finished;
}
