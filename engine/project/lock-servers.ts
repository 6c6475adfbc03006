import type { Config, ServerConfig } from "../../schemas/config/config.ts";
import { diffLockfiles, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolListProblem } from "../../schemas/lock/server-snapshot.ts";
import { isProgram } from "../../schemas/config/program-server.ts";
import { keepObserved } from "../../schemas/lock/lock-server.ts";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { type ServerFailure, snapshotServers, type TakenSnapshot } from "../../runtime/host/lock/snapshot-servers.ts";
import { assertTrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import { findLostFilters, findLostPatterns, type LostPattern } from "./config/lost-patterns.ts";
import { findServer, findUnlocked } from "./config/find-server.ts";
import { countParts, type OnProgress } from "../../schemas/progress.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import { outputUnknown, lockfileMissing } from "../../schemas/errors.ts";
import { parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { salvageLockfile, type SalvagedLockfile } from "../../schemas/lock/salvage-lockfile.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { readTextIfPresent } from "./files.ts";
import { LOCKFILE_NAME, lockfilePath } from "./lockfile-file.ts";

/** A lockfile that is not yet written, and what it changes. */
export interface LockOutcome {
  lockfile: Lockfile;
  changes: readonly ServerChange[];
  /** The ids of the servers that answered, in the order of the configuration. */
  answered: readonly string[];
  /** The servers that did not; each keeps the entry that it had. */
  failures: readonly ServerFailure[];
  /** Entries of tool lists that were left out, by server. */
  problems: ReadonlyMap<string, readonly ToolListProblem[]>;
  /** Patterns of the configuration that match nothing of what is locked now, and of the filters nothing that the servers list. */
  lost: readonly LostPattern[];
}

/** Listeners while servers are locked. */
export interface LockWatch {
  onProgress?: OnProgress | undefined;
  /** Ends the servers; the error of the first that was not done is thrown then. */
  signal?: AbortSignal | undefined;
  /** Where the values of placeholders come from, in the place of this process's environment. */
  env?: NodeJS.ProcessEnv | undefined;
}

/**
 * Snapshots the named servers (all without names) and places them into the accepted lockfile. With names all other entries stay as
 * they are. Without names, servers that are no longer configured lose their entry. Servers that do not answer are listed.
 */
export async function lockServers(
  config: Config,
  accepted: Lockfile | undefined,
  names: readonly string[] = [],
  { onProgress = () => undefined, signal, env }: LockWatch = {},
): Promise<LockOutcome> {
  const chosen = chooseServers(config, names);
  // Before the first of them starts: an approval is for the whole project.
  for (const server of chosen) assertTrusted(config, server);
  const connections = makeConnectionSet(config, { env });
  const stop = (): void => void connections.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const finish = countParts(
      chosen.map(({ id }) => id),
      onProgress,
    );
    const { taken, failures } = await snapshotServers(chosen, connections, config, accepted, finish);
    // What was interrupted says nothing of the servers.
    if (signal?.aborted === true && failures[0] !== undefined) throw failures[0].error;
    const servers = taken.map(({ server }) => server);
    assertKnownOutputs(config, servers);
    const before: Lockfile = accepted ?? { servers: new Map() };
    const lockfile = placeServers(config, before, servers, names.length > 0);
    return {
      lockfile,
      changes: diffLockfiles(before, lockfile, config.policy),
      answered: servers.map(({ id }) => id),
      failures,
      problems: new Map(taken.map(({ server, problems }) => [server.id, problems])),
      lost: [...findLostPatterns(config, lockfile), ...findLostInLists(chosen, taken)],
    };
  } finally {
    signal?.removeEventListener("abort", stop);
    await connections.close();
  }
}

function findLostInLists(chosen: readonly ServerConfig[], taken: readonly TakenSnapshot[]): LostPattern[] {
  const listed = new Map(taken.map(({ server, listed: names }) => [server.id, names]));
  return chosen.flatMap((server) => {
    const names = listed.get(server.id);
    return names === undefined ? [] : findLostFilters(server, names, { isFiltered: false });
  });
}

/** Each server once, however often it is named. */
function chooseServers(config: Config, names: readonly string[]): readonly ServerConfig[] {
  return names.length === 0 ? config.servers : [...new Set(names.map((name) => findServer(config, name)))];
}

/** The order of the configuration; entries of servers that it does not have come last. */
function placeServers(
  config: Config,
  before: Lockfile,
  fresh: readonly LockedServer[],
  keepsOthers: boolean,
): Lockfile {
  const renewed = fresh.map((server) => [server.id, keepObserved(before.servers.get(server.id), server)] as const);
  const known = new Map([...before.servers, ...renewed]);
  const configured = config.servers.map(({ id }) => id);
  const own = [...before.servers.values()].filter(isProgram).map(({ id }) => id);
  const ids = new Set([...configured, ...(keepsOthers ? known.keys() : own)]);
  return {
    servers: new Map(
      [...ids].flatMap((id): [string, LockedServer][] => {
        const server = known.get(id);
        return server === undefined ? [] : [[id, server]];
      }),
    ),
  };
}

/** Whether an outcome is to be written: a lockfile without servers, where none has answered, would look like a decision. */
export function isWorthWriting({ lockfile, failures }: Pick<LockOutcome, "lockfile" | "failures">): boolean {
  return lockfile.servers.size > 0 || failures.length === 0;
}

/** Refuses an output schema for a tool that none of the servers has. Only servers that were just looked at can tell. */
function assertKnownOutputs({ outputs, servers }: Config, looked: readonly LockedServer[]): void {
  const configured = new Set(servers.map(({ id }) => id));
  const lookedIds = new Set(looked.map(({ id }) => id));
  const known = looked.flatMap(({ id, tools }) => tools.map((tool) => `${id}/${tool.name}`));
  for (const name of outputs.keys()) {
    const serverId = name.slice(0, name.indexOf("/"));
    if (configured.has(serverId) && !lookedIds.has(serverId)) continue;
    if (!known.includes(name)) throw outputUnknown(name, nearestName(name, known));
  }
}

/** A repaired lockfile that is not yet written. Its changes are against what could be read of the broken one. */
export interface RepairOutcome extends LockOutcome {
  /** Why entries were not taken over, by server id. */
  broken: ReadonlyMap<string, string>;
  /** Shapes of results that were left out, with the reason, by the id of the server. */
  brokenShapes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Makes a broken lockfile whole. Entries that are intact stay accepted, and their servers are not started; all others are locked
 * again. Gives undefined if there is nothing to repair.
 */
export async function repairLockfile(config: Config, watch: LockWatch = {}): Promise<RepairOutcome | undefined> {
  const text = await readTextIfPresent(lockfilePath(config), "lock");
  if (text === undefined) throw lockfileMissing(lockfilePath(config));
  const salvaged = salvageLockfile(text, LOCKFILE_NAME, digestText);
  if (isWhole(text)) return undefined;
  const missing = findUnlocked(config, salvaged.intact);
  const outcome =
    missing.length > 0 ? await lockServers(config, salvaged.intact, missing, watch) : nothingToLock(salvaged.intact);
  const baseline = toBaseline(salvaged, outcome.lockfile);
  const changes = diffLockfiles(baseline, outcome.lockfile, config.policy);
  const lockfile = withShapesOf(baseline, outcome.lockfile);
  return { ...outcome, lockfile, changes, broken: salvaged.problems, brokenShapes: salvaged.brokenShapes };
}

function isWhole(text: string): boolean {
  try {
    parseLockfile(text, LOCKFILE_NAME, digestText);
    return true;
  } catch (error) {
    if (error instanceof CodemodeError) return false;
    throw error;
  }
}

/** What was observed is no part of what is broken. */
function withShapesOf({ servers: before }: Lockfile, { servers }: Lockfile): Lockfile {
  return { servers: new Map([...servers].map(([id, server]) => [id, keepObserved(before.get(id), server)])) };
}

function nothingToLock(lockfile: Lockfile): LockOutcome {
  return { lockfile, changes: [], answered: [], failures: [], problems: new Map(), lost: [] };
}

/** What the file said. Of two sides of a conflict that which the server confirms, if one of them is. */
function toBaseline({ intact, readable }: SalvagedLockfile, { servers }: Lockfile): Lockfile {
  const read = [...readable].flatMap(([id, candidates]): [string, LockedServer][] => {
    const confirmed = candidates.find(({ integrity }) => integrity === servers.get(id)?.integrity) ?? candidates[0];
    return confirmed === undefined ? [] : [[id, confirmed]];
  });
  return { servers: new Map([...intact.servers, ...read]) };
}
