import { basename, dirname, resolve } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import type { NamedScript } from "../../../schemas/config/named-scripts.ts";
import { readText } from "../../project/files.ts";
import type { PinnedPair } from "./follows-script.ts";

/** The scripts of the configuration that name their pinned bundle and its source. */
export async function readConfiguredPairs({
  folder,
  scripts,
}: Pick<Config, "folder" | "scripts">): Promise<PinnedPair[]> {
  const pairs = await Promise.all([...scripts.values()].map((script) => readPair(script, folder)));
  return pairs.filter((pair) => pair !== undefined);
}

/** Undefined where the script names no source. */
export async function readPair(script: NamedScript | undefined, folder: string): Promise<PinnedPair | undefined> {
  if (script?.source === undefined) return undefined;
  const path = resolve(folder, script.source);
  const source = { code: await readText(path), name: basename(path), folder: dirname(path) };
  return { source, file: resolve(folder, script.file), shown: script.file };
}
