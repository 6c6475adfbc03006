import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { lockfileIntegrity, type PinnedBundle } from "../../../schemas/run/pinned-bundle.ts";
import { VERSION } from "../../../schemas/version.ts";
import { GENERATOR_VERSION } from "../../../templates/generated-package.ts";
import { type BundleOptions, bundleScript, type ScriptSource } from "../../bundle/bundle-script.ts";

export type PinOutcome =
  | { ok: true; pinned: PinnedBundle; warnings: Diagnostic[] }
  | { ok: false; diagnostics: Diagnostic[] };

/** Bundles a script and pins it: to its tools, to the lockfile and to the programs that made it. */
export async function pinScript(script: ScriptSource, options: BundleOptions): Promise<PinOutcome> {
  const outcome = await bundleScript(script, options);
  if (!outcome.ok) return outcome;
  const { VERSION: rollup } = await import("rollup");
  const pinned = {
    name: script.name,
    bundle: outcome.bundle,
    lockfileIntegrity: lockfileIntegrity(options.lockfile),
    madeBy: new Map([
      ["codemode", VERSION],
      ["generator", GENERATOR_VERSION],
      ["rollup", rollup],
    ]),
  };
  return { ok: true, pinned, warnings: outcome.warnings };
}
