import { spawn } from "node:child_process";

export interface CommandPlace {
  folder: string;
  environment: Record<string, string>;
  /** After this time the command and its children end. */
  seconds: number;
}

/** How a command ended. `code` is undefined where it took too long. */
export interface CommandEnd {
  code: number | undefined;
  /** The end of what it printed, on both streams. */
  output: string;
  seconds: number;
}

const KEPT_CHARACTERS = 4000;

/** Runs a command in a process group of its own, with no input, and ends all of the group after it. */
export function runCommand(
  words: readonly string[],
  { folder, environment, seconds }: CommandPlace,
): Promise<CommandEnd> {
  const [command = "", ...args] = words;
  const start = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString("utf8")).slice(-KEPT_CHARACTERS);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, seconds * 1000);
    const finish = (code: number | undefined): void => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve({ code: isLate ? undefined : code, output, seconds: (Date.now() - start) / 1000 });
    };
    child.once("error", (error) => {
      output += error.message;
      finish(-1);
    });
    child.once("exit", (code) => finish(code ?? -1));
  });
}

/** Ends what a command has left behind. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
