import { type ConnectionSet, makeConnectionSet } from "../runtime/mcp/connection-set.ts";
import type { HostEvents, ServerEvent } from "../schemas/run/events.ts";
import type { Config } from "../schemas/config/config.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Checker } from "./check/process/start-checker.ts";
import type { AroundScript, Host } from "./run/host.ts";
import { openPool } from "./open/open-pool.ts";
import {
  prepareForBundle,
  prepareForScript,
  prepareLockfile,
  type ProjectPreparation,
  prepareProject,
} from "./project/prepare-project.ts";
import { type LearnExtra, loadExtra } from "./extras.ts";
import { type OpenObservers, openObservers } from "./observers.ts";
import { joinSignals } from "./process/join-signals.ts";
import { bundlePlaces } from "./project/project-places.ts";
import { readLockfile, watchLockfile } from "./project/lockfile-file.ts";
import { expectedServers, namesServers, needsNoServer, type ReadScript } from "./project/script.ts";
import type { HostSettings, HostPurpose } from "./open/host-settings.ts";
import { beginBundling, type Closers, REST_MS } from "./open/begin-bundling.ts";

export type { Checker } from "./check/process/start-checker.ts";
export type { RunCaller } from "@codemode/runtime/connections/server-connection";
export type { AskPerson, Requester } from "../runtime/host/run.ts";
export type { EarlierResults } from "./project/script.ts";
export type { Host, RunRequest } from "./run/host.ts";

/** A host that is ready, and what came with it. */
export interface ReadyHost {
  host: Host;
  /** Present where scripts are type-checked, or an editor was asked for. */
  checker?: Checker | undefined;
}

/** A host that is being prepared, with all that has to end with it. */
export interface OpenHost {
  /** Undefined where no one listens, which costs nothing. */
  events: HostEvents | undefined;
  /** As text for Prometheus; present where `serve.metrics` asks for it. */
  printMetrics?: (() => string) | undefined;
  /** The lockfile as it was read, before anything else is prepared; undefined where there is none, or for other purposes than a session. */
  locked: Promise<Lockfile | undefined>;
  /** Rejects with a `CodemodeError` where the project cannot be prepared. */
  ready: Promise<ReadyHost>;
  /** Ends servers, sandboxes, bundler, checker and listeners. */
  close(): Promise<void>;
}

/**
 * Opens a project's host: the one place that assembles pool, bundler, connections, listeners and checks. It resolves as soon as listeners are
 * open; the rest is prepared behind `ready`, while a client waits for its handshake. Throws a `CodemodeError` where one cannot be opened.
 */
export async function openHost(settings: HostSettings): Promise<OpenHost> {
  const { config } = settings;
  const locked = settings.purpose.kind === "session" ? readLockfile(config) : Promise.resolve(undefined);
  locked.catch(() => undefined); // thrown to those who need it
  const pool = openPool(settings);
  if (settings.purpose.kind !== "call" && !startsServers(settings.purpose)) warm(pool);
  const closers = [pool.close];
  const ending = new AbortController();
  const signal = joinSignals(settings.signal, ending.signal) ?? ending.signal;
  const observers = await openObservers(settings).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  const ready = assemble(settings, locked, pool, observers, signal, closers);
  ready.catch(() => undefined); // thrown to the caller that needs it
  return {
    events: observers.events,
    printMetrics: observers.printMetrics,
    locked,
    ready,
    async close() {
      ending.abort();
      await ready.catch(() => undefined);
      await Promise.all(closers.map((close) => close()));
      await observers.close();
    },
  };
}

/**
 * Servers take longest to start, so those of a known script start first, even before its sandbox; what bundles the script starts
 * beside them, and what the host needs is loaded while all of them do.
 */
async function assemble(
  settings: HostSettings,
  locked: OpenHost["locked"],
  pool: ReturnType<typeof openPool>,
  observers: OpenObservers,
  signal: AbortSignal,
  closers: Closers,
): Promise<ReadyHost> {
  const { config, purpose, refuseBy = "tool", audience, onUnstartable = "report" } = settings;
  const drift = settings.isFrozen ? "refuse" : (settings.drift ?? config.drift ?? "warn");
  const isFollowing = purpose.kind === "session" && (drift === "refresh" || drift === "review");
  if (drift === "refresh") warnOfRefresh(settings);
  const readChanged = purpose.kind === "session" && !settings.isFrozen ? watchLockfile(config) : undefined;
  const openBundler = beginBundling(settings, closers);
  const prepared = isFollowing ? withShortTimeouts(config) : config;
  const ofOthers = await prepareFor(purpose, prepared, { ...(await toPrepareOptions(settings, signal)), locked });
  const { events, gate } = observers;
  const onServerEvent = events && ((event: ServerEvent) => events.emit({ type: "server-changed", ...event }));
  const connections = makeConnectionSet(config, { lockfile: ofOthers, onEvent: onServerEvent, env: settings.env });
  closers.push(connections.close);
  const lockfile = await withOwnServers(ofOthers, connections, settings);
  if (purpose.kind === "script") connectEarly(purpose.script, lockfile, connections);
  if (startsServers(purpose)) warm(pool);
  const bundler = openBundler({ ...bundlePlaces(config), lockfile });
  const { makeHost } = await import("./run/make-host.ts");
  events?.emit({ type: "state-offered", state: { pool: pool.state } });
  const { checker, types } = await openChecker(settings, closers, (access) => host.visibleLockfile(access));
  const look = await openLook(settings, closers, () => host.lockfile());
  const host: Host = makeHost({
    ...{ config, lockfile, connections, pool, bundler, drift, refuseBy, onUnstartable, onServerEvent, readChanged },
    ...{ events, origin: settings.origin, gate, audience },
    around: [types, look].filter((around) => around !== undefined),
    isFrozenSession: purpose.kind === "session" && settings.isFrozen === true,
    lockedFirst: await noteFirstLock(settings, locked, ofOthers),
  });
  if (isFollowing) {
    const { lockNewServers } = await import("./open/lock-new-servers.ts");
    void lockNewServers(settings, host, signal);
  }
  return { host, checker };
}

/** A sandbox that cannot start is reported when the first one is taken. */
function warm(pool: ReturnType<typeof openPool>): void {
  pool.warm().catch(() => undefined);
}

/** Whether a script is known that needs servers. */
function startsServers(purpose: HostPurpose): boolean {
  return purpose.kind === "script" && namesServers(purpose.script);
}

/** With the servers of the program itself, as they are now. */
async function withOwnServers(
  lockfile: Lockfile,
  connections: ConnectionSet,
  { config, ownLock }: HostSettings,
): Promise<Lockfile> {
  const { own = [] } = config;
  if (own.length === 0) return lockfile;
  const { lockOwnServers } = await import("./open/lock-own-servers.ts");
  return lockOwnServers(own, lockfile, { config, connections, ownLock });
}

/** The lockfile that a purpose needs, with the packages where scripts are bundled from source. */
async function prepareFor(purpose: HostPurpose, config: Config, options: ProjectPreparation): Promise<Lockfile> {
  if (purpose.kind === "call") return prepareLockfile(config, options);
  if (purpose.kind === "session") return prepareProject(config, options);
  const { script } = purpose;
  const isServerless = (): Promise<boolean> => needsNoServer(script, config);
  return "bundle" in script ? prepareForBundle(config, isServerless) : prepareForScript(config, isServerless, options);
}

/** The servers that a session has locked because there was no lockfile. */
async function noteFirstLock(
  { config, purpose, log, note }: HostSettings,
  locked: OpenHost["locked"],
  { servers }: Lockfile,
): Promise<string[]> {
  if (purpose.kind !== "session" || config.memory !== undefined || servers.size === 0 || (await locked) !== undefined)
    return [];
  const ids = [...servers.keys()];
  (log?.warn ?? note)(`Locked as they are: ${ids.join(", ")}. Read codemode.lock.json before you rely on it.`);
  return ids;
}

function warnOfRefresh({ log, note }: HostSettings): void {
  (log?.warn ?? note)(
    'With "drift": "refresh" every change of a server is accepted without a review. For development only: "review" asks a person.',
  );
}

/** A frozen run and a pinned bundle take no notice of what results look like, and single calls give no answer that could say it. */
async function openLook(
  settings: HostSettings,
  closers: Closers,
  lockfile: () => Lockfile,
): Promise<AroundScript | undefined> {
  const { config, purpose, isFrozen = false } = settings;
  const isPinned = purpose.kind === "script" && "bundle" in purpose.script;
  if (isFrozen || isPinned || purpose.kind === "call") return undefined;
  const { lookAtResults } = await import("./run/look-at-results.ts");
  if (!config.learn.observe) return lookAtResults();
  const { collectShapes } = await loadExtra<LearnExtra>("learn");
  const collector = collectShapes(config.folder, lockfile);
  closers.push(collector.close);
  return lookAtResults(collector.add);
}

/** Its calls say why a server cannot be reached; what a pinned bundle uses is certain, so a run that cannot be is refused at once. */
function connectEarly(script: ReadScript, lockfile: Lockfile, connections: ConnectionSet): void {
  for (const serverId of expectedServers(script, lockfile)) {
    const mistake = "bundle" in script ? connections.findMistake(serverId) : undefined;
    if (mistake !== undefined) throw mistake;
    void connections.get(serverId).catch(() => undefined);
  }
}

/** Type checks are for sessions: `codemode check` does them for a script that a person keeps. */
async function openChecker(
  { config, purpose, hasEditor = false }: HostSettings,
  closers: Closers,
  visibleLockfile: Host["visibleLockfile"],
): Promise<{ checker?: Checker; types?: AroundScript }> {
  const mode = purpose.kind === "session" ? config.typecheck : "off";
  if (mode === "off" && !hasEditor) return {};
  const { startChecker } = await import("./check/process/start-checker.ts");
  // Where only failures are checked, its memory is not taken before there is one; in a program that does other work, no longer than there are some.
  const isRare = !hasEditor && mode === "on-error";
  const restMs = isRare && config.memory !== undefined ? REST_MS : undefined;
  const checker = startChecker(bundlePlaces(config).packages, { restMs });
  closers.push(checker.close);
  if (!isRare) checker.warm();
  if (mode === "off") return { checker };
  const { checkTypes } = await import("./run/check-types.ts");
  return { checker, types: checkTypes(mode, checker, visibleLockfile) };
}

async function toPrepareOptions(
  { purpose, isFrozen = false, note, log, showProgress, env }: HostSettings,
  signal: AbortSignal,
): Promise<ProjectPreparation> {
  const options = { frozen: isFrozen, note: log?.info ?? note, warn: log?.warn, showProgress, signal, env };
  if (purpose.kind !== "session") return options;
  const { emitApart } = await import("./project/emit-process/emit-apart.ts");
  return { ...options, emit: emitApart };
}

/** Clients wait for the first list of tools, most of them for half a minute. A server that needs longer is taken in later. */
const FIRST_LOCK_MS = 15_000;

function withShortTimeouts(config: Config): Config {
  const servers = config.servers.map((server) => ({
    ...server,
    timeoutMs: Math.min(server.timeoutMs, FIRST_LOCK_MS),
  }));
  return { ...config, servers };
}
