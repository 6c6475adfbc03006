import { ownValue } from "../json/json.ts";
import type { LockedServer } from "../lock/lockfile.ts";
import { bumpVersion, formatVersion, parseVersion, type Version, type VersionStep } from "../semver.ts";
import type { ChangeSeverity } from "./change.ts";
import { diffServer, type ServerChange } from "./diff-lockfiles.ts";

/** The version that a package of a server should get next. */
export interface VersionProposal {
  version: string;
  /** Why, as the end of "1.2.0: …". */
  reason: string;
  /** What differs from the release before; absent for the first one, and where the lock entry is the same. */
  change?: ServerChange;
}

/** The release before: its version, and the lock entry that it was made from. */
export interface PackedRelease {
  version: Version;
  lock: LockedServer;
}

/** The version of a server's first package: the server's own where that is a release of Semantic Versioning, else 0.1.0. */
export function proposeFirstVersion(server: LockedServer): VersionProposal {
  const own = ownValue(server.serverInfo, "version");
  const version = typeof own === "string" ? parseVersion(own) : undefined;
  if (version === undefined)
    return { version: "0.1.0", reason: "the first one; the server's own is no semantic version" };
  // npm publishes a prerelease only under a tag of its own.
  const reason = version.prerelease.length === 0 ? "the server's own" : "the server's own, as a release";
  return { version: formatVersion({ ...version, prerelease: [] }), reason: `the first one, which is ${reason}` };
}

const STEPS: Readonly<Record<ChangeSeverity, VersionStep>> = {
  breaking: "major",
  policy: "minor",
  compatible: "minor",
  text: "patch",
};

const REASONS: Readonly<Record<ChangeSeverity, string>> = {
  breaking: "what worked before may not work any more",
  policy: "calls are as before, and policies may judge them differently",
  compatible: "whatever worked still works",
  text: "only words have changed",
};

/**
 * The version after a release, from what changed in the lock entry since; undefined where the entry says the same.
 * A breaking change is a major step (below 1.0.0: minor), one of policy or a compatible one minor, one of words alone a patch.
 */
export function proposeNextVersion(previous: PackedRelease, server: LockedServer): VersionProposal | undefined {
  const change = diffServer(server.id, previous.lock, server);
  if (change === undefined) return undefined;
  const version = formatVersion(bumpVersion(previous.version, STEPS[change.severity]));
  return { version, reason: `${REASONS[change.severity]} (${countChanges(change)})`, change };
}

/** The version where the server is the same and the files are not: another generator or runtime made them. */
export function proposeRenewal(previous: PackedRelease): VersionProposal {
  return {
    version: formatVersion(bumpVersion(previous.version, "patch")),
    reason: "the tools are the same, the files around them are made anew",
  };
}

function countChanges({ toolsAdded, toolsRemoved, toolsChanged }: ServerChange): string {
  const counts = [
    [toolsRemoved.length, "removed"],
    [toolsAdded.length, "added"],
    [toolsChanged.length, "changed"],
  ] as const;
  const words = counts.filter(([count]) => count > 0).map(([count, verb]) => `${count} ${verb}`);
  return words.length === 0 ? "no tool changed" : `tools: ${words.join(", ")}`;
}
