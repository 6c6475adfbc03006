import { basename, dirname, resolve } from "node:path";
import type { CodemodeError } from "../schemas/codemode-error.ts";
import type { Config } from "../schemas/config/config.ts";
import type { NamedScript } from "../schemas/config/named-scripts.ts";
import { bundleOutdated } from "../schemas/errors.ts";
import { canonicalJson } from "../schemas/json/canonical-json.ts";
import { type JsonValue, asJson } from "../schemas/json/json.ts";
import { parsePinnedBundle, type PinnedBundle } from "../schemas/run/pinned-bundle.ts";
import type { ScriptSource } from "./bundle/bundle-script.ts";
import { readText, readTextIfPresent } from "./project/files.ts";

/** A script, and the file of its pinned bundle: where that is, and how the user calls it. */
export interface PinnedPair {
  source: ScriptSource;
  file: string;
  shown: string;
}

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
  const source = { code: await readText(path, "given"), name: basename(path), folder: dirname(path) };
  return { source, file: resolve(folder, script.file), shown: script.file };
}

/** Why a pinned bundle has to be made again; a change of the lockfile that does not concern the script is no reason. */
export async function findOutdated(
  { source, file, shown }: PinnedPair,
  now: PinnedBundle,
): Promise<CodemodeError | undefined> {
  const text = await readTextIfPresent(file, "given");
  const change = text === undefined ? "it does not exist" : findChange(parsePinnedBundle(text, shown), now);
  return change === undefined ? undefined : bundleOutdated(shown, source.name, change);
}

/** Why the second bundle is another program than the first; undefined where it is the same. */
function findChange(before: PinnedBundle, now: PinnedBundle): string | undefined {
  const print = ({ name, bundle }: PinnedBundle): string => canonicalJson(asJson({ name, ...bundle }));
  if (print(before) === print(now)) return undefined;
  if (canonicalJson(manifestOf(before)) !== canonicalJson(manifestOf(now))) {
    return "its tools have changed, or the script calls other tools";
  }
  const otherProgram = [...now.madeBy].find(([program, version]) => before.madeBy.get(program) !== version);
  if (otherProgram === undefined) return "the script, or a module that it imports, has changed";
  const [program, version] = otherProgram;
  return `the script has changed, or ${program} ${version} prints it differently from ${before.madeBy.get(program) ?? "the one before"}`;
}

function manifestOf({ bundle }: PinnedBundle): JsonValue {
  return asJson(bundle.manifest);
}
