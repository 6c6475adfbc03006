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
