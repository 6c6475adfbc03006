import { makeConnectionSet } from "../runtime/host/connection-set.ts";
import { makeSandboxPool } from "../runtime/host/sandbox/pool.ts";
import type { RunOrigin } from "../runtime/host/observe/observer.ts";
import type { Config } from "../schemas/config/config.ts";
import { lockfileMissing } from "../schemas/errors.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { type OpenObservers, openObservers } from "./observe/open-observers.ts";
import type { BundleOptions, BundleOutcome, ScriptSource } from "./bundle/bundle-script.ts";
import { bundlePlaces } from "./project/bundle-places.ts";
import { type Bundler, startBundler } from "./bundle/process/start-bundler.ts";
import type { FoundScript } from "./project/find-script.ts";
import type { Host } from "./host/host.ts";
import { namedServers, serversOf as manifestServers } from "./host/prepare-script.ts";
import { lockfilePath, readLockfile } from "./project/lockfile-file.ts";
import { makePinnedBundler } from "./host/pinned/pinned-bundler.ts";
import { isWithoutServers, NO_SERVERS, prepareForScript } from "./project/prepare-for-script.ts";
import type { PrepareOptions } from "./project/prepare-project.ts";
import type { ShowWork } from "./project/progress.ts";

/** What a command wants a host for. */
export interface HostWish {
  config: Config;
  script: FoundScript;
  /** Write nothing, and refuse when a server has drifted. */
  frozen: boolean;
  /** How many runs there will be at a time; one unless given. */
  concurrency?: number;
  /** For those who observe the host. */
  origin: RunOrigin;
  note: (line: string) => void;
  showProgress?: ShowWork;
  /** Ends servers that are being locked. */
  signal?: AbortSignal;
}

/**
 * Opens a project's host for one script, hands it to `use`, and ends everything that was started. Servers take longest to start, so
 * they start as soon as it is known which; what bundles and runs the script starts beside them, and what the host needs is loaded
 * while all of them do.
 */
export async function withHost<Value>(
  { config, script, frozen, concurrency, origin, note, showProgress, signal }: HostWish,
  use: (host: Host) => Promise<Value>,
): Promise<Value> {
  const { maxMemoryBytes } = config.limits;
  const pool = makeSandboxPool({ refill: concurrency !== undefined, size: concurrency ?? 1, maxMemoryBytes });
  const closers = [pool.close];
  let observers: OpenObservers | undefined;
  try {
    // A sandbox that cannot start is said when the first one is taken, a server when the script is about to run.
    void pool.warm().catch(() => undefined);
    const lockfile = await openLockfile(config, script, {
      ...{ frozen, note },
      ...(showProgress === undefined ? {} : { showProgress }),
      ...(signal === undefined ? {} : { signal }),
    });
    observers = await openObservers({ config, origin, note });
    const onServerEvent = observers.observer?.serverEvent;
    const connections = makeConnectionSet(config, { lockfile, onEvent: onServerEvent });
    closers.push(connections.close);
    for (const serverId of serversOf(script, lockfile)) {
      // What a pinned bundle uses is certain: nothing needs to be loaded for a run that cannot be.
      const mistake = script.kind === "pinned" ? connections.findMistake(serverId) : undefined;
      if (mistake !== undefined) throw mistake;
      void connections.get(serverId).catch(() => undefined);
    }
    const bundler = bundlerOf(script, { ...bundlePlaces(config), lockfile });
    closers.push(bundler.close);
    const { makeHost } = await import("./host/make-host.ts");
    const drift = frozen ? "refuse" : (config.drift ?? "warn");
    observers.observer?.stateOffered?.({ pool: pool.state });
    const host = makeHost({
      ...{ config, lockfile, connections, pool, bundler, drift, onServerEvent },
      refuseBy: "server",
      onUnstartable: "throw",
    });
    return await use(observers.observe(host));
  } finally {
    await Promise.all(closers.map((close) => close()));
    await observers?.close();
  }
}

/** What the host is asked to run: a pinned bundle has no source, and its bundler asks for none. */
export function sourceOf(script: FoundScript): ScriptSource {
  return script.kind === "source" ? script.source : { code: "", name: script.pinned.name };
}

/** The servers that the script will use, as far as can be told before it is bundled. */
function serversOf(script: FoundScript, lockfile: Lockfile): string[] {
  if (script.kind === "source") return namedServers(script.source.code, lockfile);
  return manifestServers(script.pinned.bundle.manifest).filter((serverId) => lockfile.servers.has(serverId));
}

/** A pinned bundle needs the lockfile alone; everything else needs the generated packages too. */
async function openLockfile(config: Config, script: FoundScript, options: PrepareOptions): Promise<Lockfile> {
  if (script.kind === "source") return (await prepareForScript(config, script.source, options)).lockfile;
  const lockfile = await readLockfile(config);
  if (lockfile === undefined && isWithoutServers(script.pinned.bundle)) return NO_SERVERS;
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  return lockfile;
}

/** A process of its own bundles the script at once, while this one loads what connects the servers. */
function bundlerOf(script: FoundScript, options: BundleOptions): Bundler {
  if (script.kind !== "source") return { ...makePinnedBundler(script.pinned), close: () => Promise.resolve() };
  const bundler = startBundler();
  let early: Promise<BundleOutcome> | undefined = bundler.bundle(script.source, options);
  early.catch(() => undefined); // thrown to whoever asks for it
  return {
    bundle(source, asked, asker) {
      const isEarly = source === script.source && asked.lockfile === options.lockfile;
      const outcome = (isEarly ? early : undefined) ?? bundler.bundle(source, asked, asker);
      early = undefined; // the next run may find other files beside the script
      return outcome;
    },
    close: bundler.close,
  };
}
