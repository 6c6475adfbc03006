import { bundleScript } from "../../../engine/bundle/bundle-script.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import { prepareProject } from "../../../engine/project/prepare-project.ts";
import type { Host } from "../../../engine/run/host.ts";
import { makeHost } from "../../../engine/run/make-host.ts";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { DriftPolicy } from "../../../schemas/config/config-file.ts";
import { whenDone } from "../../e2e/share-in-file.ts";

interface TestHost {
  config: Config;
  host: Host;
  /** Ends its servers and its sandboxes. */
  close(): Promise<unknown>;
}

/** A host of the project in a folder that follows its servers. */
export async function openHostIn(
  cwd: string,
  { drift = "refresh", pool = makeSandboxPool({ refill: false }) }: { drift?: DriftPolicy; pool?: SandboxPool } = {},
): Promise<TestHost> {
  const config = await loadConfig({ cwd });
  const lockfile = await prepareProject(config, { frozen: false, note: () => undefined });
  const host = makeHost({ config, lockfile, pool, bundler: { bundle: bundleScript }, drift, refuseBy: "tool" });
  return { config, host, close: () => Promise.all([host.close(), pool.close()]) };
}

/** The same, closed after the test at hand, or after all that share it. */
export async function openTestHost(...given: Parameters<typeof openHostIn>): Promise<TestHost> {
  const opened = await openHostIn(...given);
  whenDone(async () => {
    await opened.close();
  });
  return opened;
}
