import { lockedServers } from "../../runtime/host/recording/record-bundle.ts";
import type { ReplayOptions } from "../../runtime/host/recording/replay-recording.ts";
import type { Diagnostic } from "../../schemas/answer.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { CommandContext } from "../command.ts";
import { bundleScript } from "./bundle/bundle-script.ts";
import { bundlePlaces } from "./bundle-places.ts";
import { findScript } from "./find-script.ts";
import { loadConfig } from "./load-config.ts";
import { prepareProject } from "./prepare-project.ts";

type Changed = NonNullable<ReplayOptions["changed"]>;

/** Bundles a script with the packages that are generated already; the diagnostics say why it cannot be. */
export async function bundleForReplay(
  file: string,
  context: CommandContext,
): Promise<Changed | { diagnostics: Diagnostic[] }> {
  const config = await loadConfig(context);
  const script = await findScript({ file, cwd: context.cwd }, config);
  if (script === undefined) throw optionInvalid("replay", "name a script after the recording");
  const { lockfile } = await prepareProject(config, { frozen: true, note: context.output.note });
  if (script.kind === "pinned") {
    const { bundle, name } = script.pinned;
    return { bundle, subject: { script: name, servers: lockedServers(bundle.manifest, lockfile) } };
  }
  const outcome = await bundleScript(script.source, { ...bundlePlaces(config), lockfile });
  if (!outcome.ok) return { diagnostics: outcome.diagnostics };
  const { bundle } = outcome;
  return { bundle, subject: { script: script.source.name, servers: lockedServers(bundle.manifest, lockfile) } };
}
