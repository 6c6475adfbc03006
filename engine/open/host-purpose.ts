import type { Config } from "../../schemas/config/config.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { BundleOptions, BundleOutcome, ScriptSource } from "../bundle/bundle-script.ts";
import {
  type Bundler,
  BUNDLER_PROGRAM,
  startBundler,
  cacheBundles,
  openKeptBundles,
  readBuild,
} from "../bundle/process/bundler.ts";
import { namedServers, serversOf as manifestServers } from "../../runtime/host/named-servers.ts";
import { makePinnedBundler } from "../run/pinned/pinned-bundler.ts";
import type { ReadScript } from "../project/find-script.ts";
import { lockfilePath, readLockfile } from "../project/lockfile-file.ts";
import {
  prepareLockfile,
  type PrepareOptions,
  prepareProject,
  isWithoutServers,
  NO_SERVERS,
  prepareForScript,
} from "../project/prepare-project.ts";

/**
 * What a host is opened for, which decides how much is prepared and when:
 * - `session`: any script, one after the other. All servers are locked and all packages generated first; sandboxes wait.
 * - `script`: one script that is known. Only what it needs is prepared, and its servers and its bundle start at once.
 * - `call`: single calls. Neither a bundler nor a sandbox starts.
 */
export type HostPurpose = { kind: "session" } | { kind: "script"; script: ReadScript } | { kind: "call" };

/** The lockfile that a purpose needs, with the packages where scripts are bundled from source. */
export async function prepareFor(purpose: HostPurpose, config: Config, options: PrepareOptions): Promise<Lockfile> {
  if (purpose.kind === "call") return prepareLockfile(config, options);
  if (purpose.kind === "session") return (await prepareProject(config, options)).lockfile;
  const { script } = purpose;
  if (!("bundle" in script)) return (await prepareForScript(config, script, options)).lockfile;
  const lockfile = await readLockfile(config);
  if (lockfile !== undefined) return lockfile;
  if (isWithoutServers(script.bundle.bundle)) return NO_SERVERS;
  throw lockfileMissing(lockfilePath(config));
}

/** Whether a script uses servers, as far as can be seen before there is a lockfile. */
export function namesServers(script: ReadScript): boolean {
  if ("bundle" in script) return script.bundle.bundle.manifest.tools.length > 0;
  return script.code.includes("@codemode/servers/");
}

/** The servers that a script will use, as far as its text or its manifest says so before it is bundled. */
export function expectedServers(script: ReadScript, lockfile: Lockfile): string[] {
  if (!("bundle" in script)) return namedServers(script.code, lockfile);
  return manifestServers(script.bundle.bundle.manifest).filter((serverId) => lockfile.servers.has(serverId));
}

/**
 * Begins to bundle: gives what bundles once the lockfile is known. For a session its process starts now, while the project is prepared; a
 * known script is bundled as soon as it can be, in a process of its own, unless an earlier process has kept its bundle.
 * @param closers receives what ends the processes
 */
export function beginBundling(
  purpose: HostPurpose,
  closers: (() => Promise<void>)[],
): (options: BundleOptions) => Pick<Bundler, "bundle"> {
  const started = (bundler: Bundler): Bundler => {
    closers.push(bundler.close);
    return bundler;
  };
  if (purpose.kind === "call") return () => BUNDLE_HERE;
  if (purpose.kind === "session") {
    const bundler = started(startBundler());
    return (options) => {
      // What is wrong with the packages is reported to the first script that meets it.
      void rehearse(bundler, options).catch(() => undefined);
      return bundler;
    };
  }
  const { script } = purpose;
  if ("bundle" in script) return () => makePinnedBundler(script.bundle);
  return (options) => started(bundleEarly(script, options));
}

async function rehearse(bundler: Bundler, options: BundleOptions): Promise<void> {
  const { rehearseBundling } = await import("../bundle/process/rehearse-bundling.ts");
  await rehearseBundling(bundler, options);
}

function bundleEarly(first: ScriptSource, options: BundleOptions): Bundler {
  let bundler: Bundler | undefined;
  const bundle: Bundler["bundle"] = (...request) => {
    bundler ??= startBundler();
    return bundler.bundle(...request);
  };
  const kept = openKeptBundles(readBuild(BUNDLER_PROGRAM));
  let early: Promise<BundleOutcome> | undefined = cacheBundles({ bundle }, { kept }).bundle(first, options);
  early.catch(() => undefined); // thrown to the run that needs it
  return {
    bundle(source, asked, client) {
      const isEarly = source === first && asked.lockfile === options.lockfile;
      const outcome = (isEarly ? early : undefined) ?? bundle(source, asked, client);
      early = undefined; // the next run may find other files beside the script
      return outcome;
    },
    close: async () => bundler?.close(),
  };
}

/** A host for calls is given no script; should it be, this process bundles it. */
const BUNDLE_HERE: Pick<Bundler, "bundle"> = {
  bundle: async (source, options) => (await import("../bundle/bundle-script.ts")).bundleScript(source, options),
};
