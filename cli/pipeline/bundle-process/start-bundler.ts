import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../../schemas/answer.ts";
import type { Lockfile } from "../../../schemas/lockfile.ts";
import type { BundleOptions, BundleOutcome, ScriptSource } from "../bundle/bundle-script.ts";
import { makeTurns } from "../make-turns.ts";
import type { BundleReply, BundleRequest } from "./messages.ts";

/** Bundles scripts. What is wrong with a script is in the outcome. */
export interface Bundler {
  bundle(script: ScriptSource, options: BundleOptions): Promise<BundleOutcome>;
  close(): Promise<void>;
}

const MAX_HEAP_MEGABYTES = 512;
const TIMEOUT_MS = 20_000;

/**
 * Starts a bundler in a process of its own. The parsers are native code: some kilobytes of deeply nested brackets overflow their
 * stack, which ends the process and can be caught by nobody. Here it ends a process that knows no secret, the script gets a
 * diagnostic, and the next one a fresh process.
 */
export function startBundler(): Bundler {
  let child: ChildProcess | undefined = startProcess();
  const inTurn = makeTurns();

  const bundleNext = async (request: BundleRequest): Promise<BundleOutcome> => {
    child ??= startProcess();
    const ending = await ask(child, request);
    if (ending.kind === "answered") return ending.outcome;
    child.kill("SIGKILL");
    child = undefined;
    if (ending.kind === "failed") throw new Error(ending.message);
    return { ok: false, diagnostics: [UNREADABLE] };
  };

  return {
    // One at a time: whoever is asked for when the process ends is the one that ended it.
    bundle(script, options) {
      const request = { script, options: { ...options, lockfile: withoutTexts(options.lockfile) } };
      return inTurn(() => bundleNext(request));
    },
    close: () =>
      inTurn(async () => {
        if (child === undefined || hasEnded(child)) return;
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }),
  };
}

/** An empty environment: nothing that runs there needs a variable, and none of the host's may be found there. */
function startProcess(): ChildProcess {
  const program = fileURLToPath(new URL("./main.js", import.meta.url));
  const child = fork(program, {
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MEGABYTES}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // A process that cannot start shows as an exit.
  child.on("error", () => undefined);
  return child;
}

/** A process that a signal has ended has no exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

type Ending = { kind: "answered"; outcome: BundleOutcome } | { kind: "failed"; message: string } | { kind: "ended" };

function ask(child: ChildProcess, request: BundleRequest): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      child.off("exit", onExit).off("message", onMessage);
      resolve(ending);
    };
    const onExit = (): void => settle({ kind: "ended" });
    const onMessage = (message: unknown): void => {
      const reply = message as BundleReply;
      settle(
        "error" in reply ? { kind: "failed", message: reply.error } : { kind: "answered", outcome: reply.outcome },
      );
    };
    const timer = setTimeout(onExit, TIMEOUT_MS);
    child.once("exit", onExit).once("message", onMessage);
    if (hasEnded(child)) settle({ kind: "ended" });
    else child.send(request);
  });
}

/** Names and integrities are all that bundling looks at; schemas and descriptions would only be copied. */
function withoutTexts({ servers }: Lockfile): Lockfile {
  return {
    servers: new Map(
      [...servers].map(([id, server]) => [
        id,
        { ...server, tools: server.tools.map(({ name, exportName, integrity }) => ({ name, exportName, integrity })) },
      ]),
    ),
  };
}

const UNREADABLE: Diagnostic = {
  severity: "error",
  code: "SYNTAX_ERROR",
  message: "The script could not be read: it is nested too deeply, or too large.",
  hint: "Split the expression into statements, and pass large data as input.",
};
