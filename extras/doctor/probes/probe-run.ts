import { performance } from "node:perf_hooks";
import { makeSandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { runBundle } from "../../../runtime/sandbox/pool/run-bundle.ts";
import type { ToolHost } from "../../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { DEFAULT_LIMITS } from "../../../schemas/run/answer.ts";
import { startBundler } from "../../../engine/bundle/process/start-bundler.ts";

/** One script on its whole way, which uses no server. */
export type RunFacts =
  | { ok: true; readyMs: number; bundleMs: number; runMs: number }
  | { ok: false; step: "bundle" | "run"; failure: string; hint: string };

const SCRIPT = { code: "const parts: number[] = [40, 2];\nexport default parts[0] + parts[1];\n", name: "doctor.ts" };
const EXPECTED = 42;

/** Bundles a script, starts a sandbox for it, runs it, and measures each. `folder` is the project's. */
export async function probeRun(folder: string): Promise<RunFacts> {
  const pool = makeSandboxPool({ refill: false });
  const bundler = startBundler();
  try {
    const bundling = await timed(() =>
      bundler.bundle(SCRIPT, {
        generatedFolder: folder,
        packages: { folder, allow: [] },
        lockfile: { servers: new Map() },
      }),
    );
    const outcome = bundling.value;
    if (!outcome.ok) return { ok: false, step: "bundle", ...describe(outcome.diagnostics[0]) };
    const starting = await timed(() => pool.warm());
    const running = await timed(() => runBundle(outcome.bundle, { toolHost: NO_TOOLS, limits: DEFAULT_LIMITS, pool }));
    const { result, diagnostics } = running.value;
    if (result !== EXPECTED) return { ok: false, step: "run", ...describe(diagnostics[0]) };
    return { ok: true, readyMs: starting.durationMs, bundleMs: bundling.durationMs, runMs: running.durationMs };
  } catch (error) {
    return { ok: false, step: "run", ...describe(error as { message: string; hint?: string | undefined }) };
  } finally {
    await Promise.all([pool.close(), bundler.close()]);
  }
}

/** The manifest of the script is empty, so that no call gets this far. */
const NO_TOOLS: ToolHost = { call: () => Promise.reject(new Error("The doctor's script has no tools.")) };

async function timed<Value>(action: () => Promise<Value>): Promise<{ value: Value; durationMs: number }> {
  const startedAt = performance.now();
  const value = await action();
  return { value, durationMs: performance.now() - startedAt };
}

function describe(cause: { message: string; hint?: string | undefined } | undefined): {
  failure: string;
  hint: string;
} {
  return {
    failure: cause?.message ?? "it returned an unexpected result",
    hint: cause?.hint ?? "Reinstall codemode; if that does not help, report this.",
  };
}
