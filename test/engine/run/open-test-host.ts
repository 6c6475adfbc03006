import { bundleScript } from "../../../engine/bundle/bundle-script.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import { prepareProject } from "../../../engine/project/prepare-project.ts";
import type { Host } from "../../../engine/run/host.ts";
import { makeHost } from "../../../engine/run/make-host.ts";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import type { Config, DriftPolicy } from "../../../schemas/config/config.ts";
import { whenDone } from "../../e2e/share-in-file.ts";

/** A host of the project in a folder that follows its servers, for the test at hand, or for all that share it. */
export async function openTestHost(
  cwd: string,
  { drift = "refresh", pool = makeSandboxPool({ refill: false }) }: { drift?: DriftPolicy; pool?: SandboxPool } = {},
): Promise<{ config: Config; host: Host }> {
  const config = await loadConfig({ cwd });
  const lockfile = await prepareProject(config, { frozen: false, note: () => undefined });
  const host = makeHost({ config, lockfile, pool, bundler: { bundle: bundleScript }, drift, refuseBy: "tool" });
  whenDone(async () => {
    await Promise.all([host.close(), pool.close()]);
  });
  return { config, host };
}
