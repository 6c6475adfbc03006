import { bundleScript } from "../../engine/bundle/bundle-script.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { runBundle } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { Outcome } from "./run-in-node.ts";

/** A script, with its folder if it has files beside it. */
export interface SandboxProgram {
  code: string;
  folder?: string;
}

const AT_ONCE = 2;

/** Bundles modules as scripts of an agent, and runs them in sandboxes that are used again. */
export async function runInSandbox(programs: readonly SandboxProgram[]): Promise<Outcome[]> {
  const pool = makeSandboxPool({ size: AT_ONCE, reuse: { times: programs.length, renew: "compartment" } });
  const outcomes: Outcome[] = [];
  const queue = programs.entries();
  const work = async (): Promise<void> => {
    for (const [index, program] of queue) outcomes[index] = await run(program);
  };
  const run = async ({ code, folder }: SandboxProgram): Promise<Outcome> => {
    const bundled = await bundleScript(
      { code, name: "script.js", ...(folder === undefined ? {} : { folder }) },
      { generatedFolder: "", lockfile: { servers: new Map() } },
    );
    const { result, diagnostics } = bundled.ok
      ? await runBundle(bundled.bundle, {
          pool,
          limits: { ...DEFAULTS.limits, timeoutMs: 10_000 },
          handleCall: () => Promise.reject(new Error("There are no tools here.")),
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
