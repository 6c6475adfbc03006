import { basename, dirname, extname, resolve } from "node:path";
import { nearestName } from "@codemode/runtime/nearest-name";
import type { Config } from "../../schemas/config/config.ts";
import { optionInvalid, scriptUnknown } from "../../schemas/errors.ts";
import { isScriptName } from "../../schemas/config/named-scripts.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { parsePinnedBundle, type PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { readText, readTextIfPresent } from "./files.ts";

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

type Scripts = Pick<Config, "folder" | "scripts">;

/** Reads what a script names. Throws a `CodemodeError` where there is no such file or name. */
export async function findScript(script: Script, cwd: string, config: Scripts): Promise<ReadScript> {
  assertScript(script);
  if ("bundle" in script) return script;
  if ("file" in script) return findFile(script.file, cwd, config);
  const { code, name = "script.ts", folder } = script;
  return { code, name, ...withoutUndefined({ folder: folder === undefined ? undefined : resolve(cwd, folder) }) };
}

/** A program without a compiler may pass anything. */
function assertScript(script: unknown): void {
  const { code, file, bundle } = Object(script) as { [name: string]: unknown };
  if (typeof code === "string" || typeof file === "string" || typeof bundle === "object") return;
  const hint = 'Pass `{ code: "export default 1;" }`, `{ file: "script.ts" }` or `{ bundle }`.';
  throw optionInvalid("script", "it has neither `code` nor `file` nor `bundle`", hint);
}

/** A bare word (no folder, no extension) is first looked up in `scripts`, even if a file has that name. */
async function findFile(file: string, cwd: string, config: Scripts): Promise<ReadScript> {
  const named = config.scripts.get(file);
  if (named !== undefined) return readScript(resolve(config.folder, named.file), named.file);
  const path = resolve(cwd, file);
  if (isScriptName(file) && (await readTextIfPresent(path)) === undefined) {
    const known = [...config.scripts.keys()];
    throw scriptUnknown(file, nearestName(file, known), known);
  }
  return readScript(path, file);
}

/** Reads a script, or a pinned bundle where the file ends in `.json`. `shown` is for the errors' lines. */
export async function readScript(path: string, shown: string): Promise<ReadScript> {
  const text = await readText(path);
  if (extname(path) === ".json") return { bundle: parsePinnedBundle(text, shown) };
  return { code: text, name: basename(path), folder: dirname(path) };
}

/** What a host is asked to run: a pinned bundle has no source, and its bundler reads none. */
export function sourceOf(script: ReadScript): ScriptSource {
  return "bundle" in script ? { code: "", name: script.bundle.name } : script;
}
