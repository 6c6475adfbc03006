import { bundleScript } from "../../cli/pipeline/bundle/bundle-script.ts";
import { DEFAULT_LIMITS } from "../../schemas/answer.ts";
import { makeSandboxPool } from "../../runtime/host/sandbox/pool.ts";
import { runBundle } from "../../runtime/host/sandbox/run-bundle.ts";
import type { Outcome } from "./run-in-node.ts";

const AT_ONCE = 2;

/** Bundles modules as scripts of an agent, and runs them in sandboxes that are used again. */
export async function runInSandbox(codes: readonly string[]): Promise<Outcome[]> {
  const pool = makeSandboxPool({ size: AT_ONCE, reuse: codes.length });
  const outcomes: Outcome[] = [];
  const queue = codes.entries();
  const work = async (): Promise<void> => {
    for (const [index, code] of queue) outcomes[index] = await run(code);
  };
  const run = async (code: string): Promise<Outcome> => {
    const bundled = await bundleScript(
      { code, name: "script.js" },
      { generatedFolder: "", lockfile: { servers: new Map() } },
    );
    const { result, diagnostics } = bundled.ok
      ? await runBundle(bundled.bundle, {
          pool,
          limits: { ...DEFAULT_LIMITS, timeoutMs: 10_000 },
          toolHost: { call: () => Promise.reject(new Error("There are no tools here.")) },
          trustDomain: "differential",
        })
      : { result: null, diagnostics: bundled.diagnostics };
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error === undefined) return { kind: "value", text: String(result) };
    if (error.code === "SYNTAX_ERROR" && !bundled.ok) return { kind: "refused", text: "" };
    return {
      kind: "error",
      text: error.code === "UNCAUGHT_EXCEPTION" ? error.message : `${error.code}: ${error.message}`,
    };
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await pool.close();
  }
  return outcomes;
}
