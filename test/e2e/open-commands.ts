import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect } from "vitest";
import type { Finished, RunOptions } from "./finished.ts";
import { whenDone } from "./share-in-file.ts";

/** A process of the built program for the commands of many tests: its start costs more than most of them. */
interface Program {
  send(message: object): Promise<unknown>;
  /** Whether the test at hand looks, at its end, for what its commands have left open. */
  isWatched: boolean;
}

type TypeOptions = Pick<RunOptions, "cwd" | "env">;

/** By the options of Node that it was started with, which no command can change. */
const programs = new Map<string, Program>();

/**
 * Runs a command as `runCodemode` does, in one process for all commands of a worker, which has the folder and the environment of the command while that
 * runs. For tests of what commands say and write; what a process of its own is for, such as its end, its standard streams and their closing, takes `runCodemode`.
 */
export function typeCommand(args: readonly string[], options: TypeOptions): Promise<Finished> {
  const program = programFor(options);
  if (!program.isWatched) {
    program.isWatched = true;
    whenDone(async () => {
      program.isWatched = false;
      expect(await program.send({}), "left open by commands").toEqual([]);
    });
  }
  return typeBeforeTests(args, options);
}

/** The same for what is made before tests, which no test answers for. */
export async function typeBeforeTests(args: readonly string[], options: TypeOptions): Promise<Finished> {
  const { cwd, env = {} } = options;
  return (await programFor(options).send({ args, cwd, env: { ...process.env, ...env } })) as Finished;
}

function programFor({ env = {} }: TypeOptions): Program {
  const options = env["NODE_OPTIONS"] ?? "";
  const program = programs.get(options) ?? startProgram(options);
  programs.set(options, program);
  return program;
}

function startProgram(options: string): Program {
  const env = { ...process.env, ...(options !== "" && { NODE_OPTIONS: options }) };
  const child = fork(resolve("test/e2e/run-commands.mjs"), { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  letEnd(child);
  const fails = once(child, "exit").then(([code]) => {
    programs.delete(options);
    throw new Error(`The process of the commands ended with ${code}.`);
  });
  fails.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  return {
    isWatched: false,
    send(message) {
      const answer = last.then(async () => {
        child.send(message);
        const [answered] = (await Promise.race([once(child, "message"), fails])) as [unknown];
        return answered;
      });
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

/** The program ends with the process of the tests, which need not wait for it. */
function letEnd(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
