import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a bundle did in its Compartment. */
interface CompartmentAnswer {
  result?: unknown;
  error?: string;
  stack?: string;
  /** Server, tool and input of each call. */
  calls: [serverId: string, toolName: string, input: unknown][];
}

export interface CompartmentRunner {
  run(code: string): Promise<CompartmentAnswer>;
}

let started: Promise<CompartmentRunner> | undefined;

/** The process of this worker, which the tests of all files share: it ends with the worker. */
export function startCompartments(): Promise<CompartmentRunner> {
  return (started ??= startProcess());
}

/** Starts a process with SES's real lockdown and its text filters all on. Runs go one after the other. */
async function startProcess(): Promise<CompartmentRunner> {
  const child = fork(fileURLToPath(new URL("./compartment-process.mjs", import.meta.url)), {
    serialization: "advanced",
    execArgv: [],
  });
  await once(child, "message");
  child.unref();
  child.channel?.unref();
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(code) {
      const answer = last.then(async () => {
        const reply = once(child, "message");
        child.send(code);
        const [message] = (await reply) as [CompartmentAnswer];
        return message;
      });
      last = answer;
      return answer;
    },
  };
}
