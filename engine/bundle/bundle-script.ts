import { posix } from "node:path";
import type { BundleOptions, BundleOutcome, ScriptSource } from "./build.ts";
import { bundleModules } from "./bundle-modules.ts";
import { linkScript } from "./link-script.ts";
import { toScriptId } from "./modules/module-ids.ts";
import { isTooDeep } from "./syntax/syntax-error.ts";

export type { BundledScript, BundleOptions, BundleOutcome, ScriptSource } from "./build.ts";

/**
 * Makes one program of a script and the server bindings that it uses, with the manifest of the tools that it refers to. The author's own
 * modules are in it whole, so that it computes what they say.
 * The same inputs give the same bytes on every machine. Mistakes of the author's are diagnostics, never exceptions.
 */
export async function bundleScript(script: ScriptSource, options: BundleOptions): Promise<BundleOutcome> {
  const scriptId = toScriptId(toModulePath(script.name));
  const linked = await linkScript(script, scriptId, options).catch((error: unknown) => {
    if (isTooDeep(error)) return undefined; // the bundler says so
    throw error;
  });
  return linked ?? bundleModules(script, scriptId, options);
}

/** The file name of the script: relative imports start in its folder, however much of the path its name shows. */
export function toModulePath(name: string): string {
  const base = posix.basename(name);
  return /^[\w.-]+$/.test(base) && !/^\.+$/.test(base) ? base : `script${posix.extname(base)}`;
}
