import increment from "semver/functions/inc.js";
import major from "semver/functions/major.js";
import prerelease from "semver/functions/prerelease.js";
import { readVersion } from "./read-version.ts";
import { ownValue } from "../../schemas/json/json.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { ChangeSeverity } from "../../schemas/diff/change.ts";
import { diffServer, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";

/** The version that a package of a server should get next. */
export interface VersionProposal {
  version: string;
  /** Why, as the end of "1.2.0: …". */
  reason: string;
  /** What differs from the release before; absent for the first one, and where the lock entry is the same. */
  change?: ServerChange | undefined;
}

/** The release before: its version, and the lock entry that it was made from. */
export interface PackedRelease {
  version: string;
  lock: LockedServer;
}

/** The version of a server's first package: the server's own where that is a release of Semantic Versioning, else 0.1.0. */
export function proposeFirstVersion(server: LockedServer): VersionProposal {
  const own = ownValue(server.serverInfo, "version");
  const version = typeof own === "string" ? readVersion(own) : undefined;
  if (version === undefined)
    return { version: "0.1.0", reason: "the first release; the server's version is no semantic one" };
  // npm publishes a prerelease only under a tag of its own.
  if (prerelease(version) === null) return { version, reason: "the first release, with the server's version" };
  const [release = version] = version.split("-");
  return { version: release, reason: "the first release, with the server's version as a release" };
}

/** What a release changes: the number that grows. */
type Step = "major" | "minor" | "patch";

const STEPS: Readonly<Record<ChangeSeverity, Step>> = {
  breaking: "major",
  policy: "minor",
  compatible: "minor",
  text: "patch",
  observed: "patch",
};

const REASONS: Readonly<Record<ChangeSeverity, string>> = {
  breaking: "existing scripts may fail",
  policy: "calls are unchanged, but policies may decide differently",
  compatible: "existing scripts still work",
  text: "only texts have changed",
  observed: "more is known of what tools return",
};

/**
 * The version after a release, from what changed in the lock entry since; undefined where the entry says the same.
 * A breaking change is a major step (below 1.0.0: minor), one of policy or a compatible one minor, one of words alone a patch.
 */
export function proposeNextVersion(previous: PackedRelease, server: LockedServer): VersionProposal | undefined {
  const change = diffServer(server.id, previous.lock, server);
  if (change === undefined) return undefined;
  const version = nextVersion(previous.version, STEPS[change.severity]);
  return { version, reason: `${REASONS[change.severity]} (${countChanges(change)})`, change };
}

/** The version where the server is the same and the files are not: another generator or runtime made them. */
export function proposeRenewal(previous: PackedRelease): VersionProposal {
  return {
    version: nextVersion(previous.version, "patch"),
    reason: "the tools are the same, but codemode now generates different files",
  };
}

/** One step further; below 1.0.0 a major step is a minor one (section 4 of Semantic Versioning). */
function nextVersion(version: string, step: Step): string {
  const taken = step === "major" && major(version) === 0 ? "minor" : step;
  return increment(version, taken) ?? version;
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
