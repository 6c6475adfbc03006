import { lockedServers } from "../../runtime/host/recording/record-bundle.ts";
import type { ReplayOptions } from "../../runtime/host/recording/replay-recording.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { bundleScript } from "../bundle/bundle-script.ts";
import { bundlePlaces } from "../project/bundle-places.ts";
import { findScript } from "../project/find-script.ts";
import { type ConfigRequest, loadConfig } from "../project/config/load-config.ts";
import { prepareProject } from "../project/prepare-project.ts";

type Changed = NonNullable<ReplayOptions["changed"]>;

export interface ReplayedProject extends ConfigRequest {
  note: (line: string) => void;
}

/** Bundles a script with the packages that are generated already; the diagnostics say why it cannot be. */
export async function bundleForReplay(
  file: string,
  options: ReplayedProject,
): Promise<Changed | { diagnostics: Diagnostic[] }> {
  const config = await loadConfig(options);
  const script = await findScript({ file, cwd: options.cwd }, config);
  if (script === undefined) throw optionInvalid("replay", "name a script after the recording");
  const { lockfile } = await prepareProject(config, { frozen: true, note: options.note });
  if (script.kind === "pinned") {
    const { bundle, name } = script.pinned;
    return { bundle, subject: { script: name, servers: lockedServers(bundle.manifest, lockfile) } };
  }
  const outcome = await bundleScript(script.source, { ...bundlePlaces(config), lockfile });
  if (!outcome.ok) return { diagnostics: outcome.diagnostics };
  const { bundle } = outcome;
  return { bundle, subject: { script: script.source.name, servers: lockedServers(bundle.manifest, lockfile) } };
}
