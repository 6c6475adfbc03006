import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { resolve } from "node:path";
import { findScript, type FoundScript } from "../engine/project/find-script.ts";
import type { Config } from "../schemas/config/config.ts";
import type { PinnedBundle } from "../schemas/run/pinned-bundle.ts";

/**
 * A script to check, bundle or run:
 * - `code`: the source of an ES module in JavaScript or TypeScript. `name` stands in the places of diagnostics; it is `script.ts` unless given.
 *   Relative imports are resolved in `folder`; without it the script has no files.
 * - `file`: a script's file, a pinned bundle (`.json`), or the name of a script of the configuration. Relative to the project's `cwd`.
 * - `bundle`: a pinned bundle, as `project.bundle` gives it.
 */
export type Script = { code: string; name?: string; folder?: string } | { file: string } | { bundle: PinnedBundle };

/** A script whose file has been read. */
export type ReadScript = { code: string; name: string; folder?: string } | { bundle: PinnedBundle };

/** Reads what a script names. Throws a `CodemodeError` where there is no such file or name. */
export async function toFoundScript(script: Script, config: Config, cwd: string): Promise<FoundScript> {
  if ("bundle" in script) return { kind: "pinned", pinned: script.bundle };
  if ("file" in script) return findScript(script.file, cwd, config);
  const { code, name = "script.ts", folder } = script;
  return {
    kind: "source",
    source: { code, name, ...withoutUndefined({ folder: folder === undefined ? undefined : resolve(cwd, folder) }) },
  };
}

export function toReadScript(found: FoundScript): ReadScript {
  return found.kind === "pinned" ? { bundle: found.pinned } : found.source;
}
