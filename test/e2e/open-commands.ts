import { fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Finished, RunOptions } from "./run-codemode.ts";
import { whenDone } from "./share-in-file.ts";

/**
 * Runs one command after the other in one process of the built program, for tests of what many commands do: the start of a process costs
 * more than most of them. After the test it has to end by itself, as nothing may be left open.
 */
export function openCommands({ cwd, env = {} }: RunOptions): (args: readonly string[]) => Promise<Finished> {
  const program = fork(resolve("test/e2e/run-commands.mjs"), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(program, "exit");
  const fails = ended.then(([code]) => Promise.reject(new Error(`The process of the commands ended with ${code}.`)));
  fails.catch(() => undefined);
  whenDone(async () => {
    program.disconnect();
    await ended;
  });
  return async (args) => {
    program.send(args);
    const [finished] = (await Promise.race([once(program, "message"), fails])) as [Finished];
    return finished;
  };
}

const opened = new Map<string, (args: readonly string[]) => Promise<Finished>>();

/**
 * Runs a command as `runCodemode` does, in the process that the test has for this folder and environment. For tests of what commands say and
 * write; what a process of its own is for, such as its end, its standard streams and their closing, takes `runCodemode`.
 */
export function typeCommand(
  args: readonly string[],
  { cwd, env = {} }: Pick<RunOptions, "cwd" | "env">,
): Promise<Finished> {
  const key = JSON.stringify([cwd, env]);
  const type = opened.get(key) ?? openCommands({ cwd, env });
  if (!opened.has(key)) {
    opened.set(key, type);
    whenDone(() => opened.delete(key));
  }
  return type(args);
}
