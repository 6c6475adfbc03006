import { basename, dirname, extname, resolve } from "node:path";
import { nearestName } from "@codemode/runtime/nearest-name";
import type { Config } from "../../schemas/config/config.ts";
import { scriptUnknown } from "../../schemas/errors.ts";
import { isScriptName } from "../../schemas/config/named-scripts.ts";
import { parsePinnedBundle, type PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { readText, readTextIfPresent } from "./files.ts";

/** What was found: source to bundle, or a bundle that was pinned before. */
export type FoundScript = { kind: "source"; source: ScriptSource } | { kind: "pinned"; pinned: PinnedBundle };

/**
 * Reads the script that a word names: a file, or a script of the configuration. A bare word (no folder, no extension) is first looked up in
 * `scripts`, even if a file has that name.
 */
export async function findScript(
  file: string,
  cwd: string,
  config: Pick<Config, "folder" | "scripts">,
): Promise<FoundScript> {
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
export async function readScript(path: string, shown: string): Promise<FoundScript> {
  const text = await readText(path);
  if (extname(path) === ".json") return { kind: "pinned", pinned: parsePinnedBundle(text, shown) };
  return { kind: "source", source: { code: text, name: basename(path), folder: dirname(path) } };
}

/** What a host is asked to run: a pinned bundle has no source, and its bundler reads none. */
export function sourceOf(script: FoundScript): ScriptSource {
  return script.kind === "source" ? script.source : { code: "", name: script.pinned.name };
}
