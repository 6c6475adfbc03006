import type { Config } from "../../schemas/config/config.ts";
import { diffLockfiles } from "../../schemas/diff/diff-lockfiles.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { parseLockfile } from "../../schemas/lock/parse-lockfile.ts";
import { salvageLockfile, type SalvagedLockfile } from "../../schemas/lock/salvage-lockfile.ts";
import { keepObserved } from "../../schemas/observed/keep-observed.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { readTextIfPresent } from "./files.ts";
import { findUnlocked } from "./config/find-server.ts";
import { lockServers, type LockOutcome, type LockWatch } from "./lock-servers.ts";
import { LOCKFILE_NAME, lockfilePath } from "./lockfile-file.ts";

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
  const text = await readTextIfPresent(lockfilePath(config));
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
  return { lockfile, changes: [], answered: [], failures: [], problems: new Map() };
}

/** What the file said. Of two sides of a conflict that which the server confirms, if one of them is. */
function toBaseline({ intact, readable }: SalvagedLockfile, { servers }: Lockfile): Lockfile {
  const read = [...readable].flatMap(([id, candidates]): [string, LockedServer][] => {
    const confirmed = candidates.find(({ integrity }) => integrity === servers.get(id)?.integrity) ?? candidates[0];
    return confirmed === undefined ? [] : [[id, confirmed]];
  });
  return { servers: new Map([...intact.servers, ...read]) };
}
