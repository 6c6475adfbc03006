import { fillCompileCache } from "./compile-cache.ts";
import { type LaunchOptions, type LaunchPlan, planLaunch } from "./launch-plan.ts";
import type { SandboxEngine } from "./sandbox-engine.ts";
import { SandboxStartError, startSandbox, type SandboxProcess } from "./sandbox-process.ts";

/** The engine whose sandboxes are processes of this machine. */
export interface Launcher extends SandboxEngine {
  launch(): Promise<SandboxProcess>;
}

export function makeLauncher(options: LaunchOptions, maxCpuSeconds: number): Launcher {
  const { maxMemoryBytes } = options;
  const living = new Set<SandboxProcess>();
  const background = new Set<Promise<unknown>>();
  let plan: Promise<LaunchPlan> | undefined;
  let idleDataBytes: number | undefined;
  let isClosed = false;

  const track = (task: Promise<unknown>): void => {
    background.add(task);
    void task.catch(() => {}).finally(() => background.delete(task));
  };

  return {
    async launch() {
      plan ??= planLaunch(options);
      const { confinement, command, program, runtimeLine, cache } = await plan;
      if (isClosed) throw new SandboxStartError("the pool is closed");
      const isPrefixed = command.length > 0;
      const ofProgram = [cache?.isFilled === true ? cache.file : "", ...(isPrefixed ? ["--standard-streams"] : [])];
      const words = [...command, ...program, ...ofProgram];
      const limits = { maxMemoryBytes, maxCpuSeconds, idleDataBytes };
      const sandbox = startSandbox({ confinement, words, isPrefixed, runtimeLine, ...limits });
      living.add(sandbox);
      void sandbox.ended.then(() => living.delete(sandbox));
      const dataBytes = await sandbox.ready;
      idleDataBytes ??= dataBytes;
      if (cache?.isFilled === false) {
        cache.isFilled = true; // By the next start; a start without a cache compiles again.
        track(fillCompileCache(cache, program));
      }
      return sandbox;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([plan]);
      for (const sandbox of living) sandbox.kill();
      await Promise.all([...living].map((sandbox) => sandbox.ended));
      await Promise.allSettled(background);
    },
  };
}
