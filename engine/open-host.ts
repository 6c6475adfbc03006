import type { Config, DriftPolicy } from "../schemas/config/config.ts";
import type { Reader } from "../schemas/reader.ts";
import type { Log } from "./observe/log/log.ts";
import type { OpenObservers } from "./observe/open-observers.ts";
import type { Checker } from "./check/process/start-checker.ts";
import type { Host } from "./host/host.ts";
import type { OnUnstartable } from "./host/admit-start.ts";
import type { ScriptShelf } from "./scripts/script-shelf.ts";

/** What all clients of a process share. */
export interface ServedProject {
  host: Host;
  scripts: ScriptShelf;
}

/** A host on its way, with all that has to end with it. */
export interface OpenHost {
  /** Rejects with a `UserError` where the project cannot be served. */
  ready: Promise<ServedProject>;
  /** Ends servers, sandboxes and the bundler. */
  close(): Promise<void>;
}

export interface OpenHostOptions {
  config: Config;
  /** Follow no server, and lock or generate nothing. */
  frozen: boolean;
  /** What is done about drift, where neither `frozen` nor the configuration says it: `refresh` unless given. */
  drift?: DriftPolicy;
  /** For whom the hints of answers are: an agent unless given. */
  reader?: Reader;
  /** Of the caller, who ends it; one of its own unless given. */
  checker?: Checker;
  onUnstartable: OnUnstartable;
  observers: OpenObservers;
  log: Log;
  /** Told when a server that was configured and not locked has got its lock entry. */
  onLocked?: () => void;
}

/** Prepares the project and makes its host. Returns at once, and loads what is heavy by and by: a client waits for the handshake meanwhile. */
export function openHost(options: OpenHostOptions): OpenHost {
  const closers: (() => Promise<void>)[] = [];
  const ending = new AbortController();
  const ready = open(options, closers, ending.signal);
  return {
    ready,
    async close() {
      ending.abort();
      await ready.catch(() => undefined);
      await Promise.all(closers.map((close) => close()));
    },
  };
}

async function open(
  options: OpenHostOptions,
  closers: (() => Promise<void>)[],
  signal: AbortSignal,
): Promise<ServedProject> {
  const { config, frozen, drift: usual = "refresh", reader = "agent", checker: given } = options;
  const { onUnstartable, observers, log, onLocked } = options;
  const drift = frozen ? "refuse" : (config.drift ?? usual);
  const { startBundler } = await import("./bundle/process/start-bundler.ts");
  const bundler = startBundler();
  closers.push(bundler.close);
  const { makeSandboxPool } = await import("../runtime/host/sandbox/pool.ts");
  const pool = makeSandboxPool({ maxMemoryBytes: config.limits.maxMemoryBytes, reuse: config.sandbox.reuse });
  closers.push(pool.close);
  // A sandbox that cannot start is said when the first one is taken.
  void pool.warm().catch(() => undefined);
  const { prepareProject } = await import("./project/prepare-project.ts");
  const { emitApart } = await import("./project/emit-process/emit-apart.ts");
  const patient = drift === "refresh" ? withShortPatience(config) : config;
  const notes = { note: log.info, warn: log.warn };
  const { lockfile } = await prepareProject(patient, { ...notes, frozen, emit: emitApart, signal });
  const { bundlePlaces } = await import("./project/bundle-places.ts");
  const { rehearseBundling } = await import("./bundle/process/rehearse-bundling.ts");
  // What is wrong with the packages is said to the first script that meets it.
  void rehearseBundling(bundler, { ...bundlePlaces(config), lockfile }).catch(() => undefined);
  const { makeHost } = await import("./host/make-host.ts");
  const onServerEvent = observers.observer?.serverEvent;
  const host = makeHost({
    config,
    lockfile,
    pool,
    bundler,
    drift,
    refuseBy: "tool",
    reader,
    onUnstartable,
    onServerEvent,
  });
  closers.push(host.close);
  if (drift === "refresh") {
    const { takeInServers } = await import("./take-in-servers.ts");
    void takeInServers({ config, host, log, onLocked, signal });
  }
  observers.observer?.stateOffered?.({ pool: pool.state });
  const { makeScriptShelf } = await import("./scripts/script-shelf.ts");
  const scripts = makeScriptShelf({ config, host, note: log.warn });
  if (config.typecheck === "off") return { host: observers.observe(host), scripts };
  const checker = given ?? (await startOwnChecker(config, closers));
  const { withTypecheck } = await import("./host/with-typecheck.ts");
  return { host: observers.observe(withTypecheck(host, { mode: config.typecheck, checker })), scripts };
}

async function startOwnChecker(config: Config, closers: (() => Promise<void>)[]): Promise<Checker> {
  const { startChecker } = await import("./check/process/start-checker.ts");
  const { bundlePlaces } = await import("./project/bundle-places.ts");
  const checker = startChecker(bundlePlaces(config).packages);
  closers.push(checker.close);
  // Where only failures are checked, its memory is not taken before there is one.
  if (config.typecheck !== "on-error") checker.warm();
  return checker;
}

/** Clients wait for the first list of tools, most of them for half a minute. A server that needs longer is taken in later. */
const FIRST_LOCK_MS = 15_000;

function withShortPatience(config: Config): Config {
  const servers = config.servers.map((server) => ({
    ...server,
    timeoutMs: Math.min(server.timeoutMs, FIRST_LOCK_MS),
  }));
  return { ...config, servers };
}
