import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { makeLauncher } from "../../../runtime/sandbox/pool/launcher.ts";
import { SANDBOX_EXEC } from "../../../runtime/sandbox/pool/seatbelt.ts";
import { planLaunch } from "../../../runtime/sandbox/pool/launch-plan.ts";
import { showsMemory } from "../../../runtime/sandbox/pool/prefixed-process.ts";
import { SandboxStartError } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import { askInside, asksToDieWithHost, type InsideFacts } from "./ask-inside.ts";
import { type ProcessFacts, readProcess } from "./read-process.ts";
import { type ConfinementTrial, listForbiddingSwitches, tryConfinement } from "./try-confinement.ts";

/** What is in force around a sandbox on this machine. */
export type SandboxFacts =
  | { hasStarted: false; failure: string; hint: string }
  | {
      hasStarted: true;
      trials: ConfinementTrial[];
      /** Switches of the kernel that forbid namespaces. */
      switches: string[];
      /** Whether `sandbox-exec` starts Node under codemode's profile; on macOS only. */
      hasProfile?: boolean | undefined;
      /** What the kernel says of a running one; only where there is a /proc. */
      process?: ProcessFacts | undefined;
      /** Undefined where the process that was asked did not answer. */
      inside: InsideFacts | undefined;
      diesWithHost: boolean;
      /** What starts the sandboxes in place of codemode; absent where nothing does. */
      command?: CommandFacts | undefined;
      cache: { isUsable: boolean; isFilled: boolean };
    };

export interface CommandFacts {
  /** Without its arguments. */
  program: string;
  /** Whether the processes that hold the sandbox's memory are on this machine and below the command. */
  showsMemory: boolean;
}

export interface SandboxProbeOptions {
  maxMemoryBytes: number;
  maxCpuSeconds: number;
  /** The Node binary of the sandboxes; that of this process unless given. */
  node?: string | undefined;
  /** As `sandbox.command` has it. */
  command?: readonly string[] | undefined;
}

/** Starts a sandbox and asks what holds it: the kernel, and a process that was started just as it is. */
export async function probeSandbox(options: SandboxProbeOptions): Promise<SandboxFacts> {
  const { node = process.execPath } = options;
  const launcher = makeLauncher({ ...options, node });
  try {
    const plan = await planLaunch({ ...options, node });
    // Before the launcher, which fills the cache at its first start.
    const cache = { isUsable: plan.cache !== undefined, isFilled: plan.cache?.isFilled === true };
    const [trials, sandbox, inside, diesWithHost] = await Promise.all([
      tryConfinement(),
      launcher.launch(),
      askInside(plan),
      asksToDieWithHost(plan),
    ]);
    const switches = listForbiddingSwitches();
    const [program] = plan.command;
    if (program !== undefined) {
      const command = { program, showsMemory: showsMemory(sandbox.pid) };
      return { hasStarted: true, trials, switches, inside, diesWithHost, cache, command };
    }
    const seen = {
      ...withoutUndefined({
        process: process.platform === "linux" ? readProcess(sandbox.pid) : undefined,
        hasProfile: process.platform === "darwin" ? plan.confinement.launcher[0] === SANDBOX_EXEC : undefined,
      }),
    };
    return { hasStarted: true, trials, switches, ...seen, inside, diesWithHost, cache };
  } catch (error) {
    if (!(error instanceof SandboxStartError)) throw error;
    const failure = typeof error.cause === "string" && error.cause !== "" ? error.cause : error.message;
    return { hasStarted: false, failure, hint: error.hint };
  } finally {
    await launcher.close();
  }
}
