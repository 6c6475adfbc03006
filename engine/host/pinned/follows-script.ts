import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import { bundleOutdated } from "../../../schemas/errors.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { parsePinnedBundle, type PinnedBundle } from "../../../schemas/run/pinned-bundle.ts";
import type { CodemodeError } from "../../../schemas/codemode-error.ts";
import { bundlePlaces } from "../../project/bundle-places.ts";
import type { ScriptSource } from "../../bundle/bundle-script.ts";
import { readTextIfPresent } from "../../project/files.ts";
import { pinScript } from "./pin-script.ts";

/** A script, and the file of its pinned bundle: where that is, and how the user calls it. */
export interface PinnedPair {
  source: ScriptSource;
  file: string;
  shown: string;
}

/** What a script that cannot be bundled says, or that its pinned bundle is another than it would be now. */
export type FollowOutcome = { diagnostics: Diagnostic[]; outdated?: CodemodeError };

/** Bundles the script again and compares. A change of the lockfile that does not concern the script is none. */
export async function checkFollows(
  { source, file, shown }: PinnedPair,
  config: Config,
  lockfile: Lockfile,
): Promise<FollowOutcome> {
  const outcome = await pinScript(source, { ...bundlePlaces(config), lockfile });
  if (!outcome.ok) return { diagnostics: outcome.diagnostics };
  const text = await readTextIfPresent(file);
  const change = text === undefined ? "it does not exist" : findChange(parsePinnedBundle(text, shown), outcome.pinned);
  if (change === undefined) return { diagnostics: [] };
  return { diagnostics: [], outdated: bundleOutdated(shown, source.name, change) };
}

/** Why the second bundle is another program than the first; undefined where it is the same. */
function findChange(before: PinnedBundle, now: PinnedBundle): string | undefined {
  const print = ({ name, bundle }: PinnedBundle): string => canonicalJson({ name, ...bundle } as unknown as JsonValue);
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
  return bundle.manifest as unknown as JsonValue;
}
