import { performance } from "node:perf_hooks";
import { makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { runBundle } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { HandleCall } from "../../runtime/sandbox/pool/handle-call.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { startBundler } from "../../engine/bundle/process/bundler.ts";
import { type Finding, ok, printMilliseconds, problem, toFinding } from "./doctor-report.ts";

const SCRIPT = { code: "const parts: number[] = [40, 2];\nexport default parts[0] + parts[1];\n", name: "doctor.ts" };
const EXPECTED = 42;

/** Bundles a script which uses no server, starts a sandbox for it, runs it, and measures each. `folder` is the project's. */
export async function lookAtRun(folder: string): Promise<Finding[]> {
  const pool = makeSandboxPool({ refill: false });
  const bundler = startBundler();
  const packages = { folder, allow: [] };
  try {
    const bundling = await timed(() =>
      bundler.bundle(SCRIPT, { generatedFolder: folder, packages, lockfile: { servers: new Map() } }),
    );
    const outcome = bundling.value;
    if (!outcome.ok) return [toFailure("bundle", outcome.diagnostics[0])];
    const starting = await timed(() => pool.warm());
    const running = await timed(() =>
      runBundle(outcome.bundle, { handleCall: NO_TOOLS, limits: DEFAULTS.limits, pool }),
    );
    const { result, diagnostics } = running.value;
    if (result !== EXPECTED) return [toFailure("run", diagnostics[0])];
    const [bundle, ready, run] = [bundling.ms, starting.ms, running.ms].map(printMilliseconds);
    const verdict = ok(`bundled in ${bundle}, sandbox ready in ${ready}, run in ${run}`);
    const facts = { bundleMs: round(bundling.ms), readyMs: round(starting.ms), runMs: round(running.ms) };
    return [toFinding("run.script", "a script", verdict, facts)];
  } catch (error) {
    return [toFailure("run", error as Failure)];
  } finally {
    await Promise.all([pool.close(), bundler.close()]);
  }
}

/** The manifest of the script is empty, so that no call gets this far. */
const NO_TOOLS: HandleCall = () => Promise.reject(new Error("The doctor's script has no tools."));

async function timed<Value>(action: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const startedAt = performance.now();
  const value = await action();
  return { value, ms: performance.now() - startedAt };
}

function round(milliseconds: number): number {
  return Math.round(10 * milliseconds) / 10;
}

type Failure = { message: string; hint?: string | undefined };

function toFailure(step: "bundle" | "run", cause: Failure | undefined): Finding {
  const found = cause?.message ?? "it returned an unexpected result";
  const hint = cause?.hint ?? "Reinstall codemode; if that does not help, report this.";
  return toFinding(`run.${step}`, `a script's ${step}`, problem(found, hint));
}
