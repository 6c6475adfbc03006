import compare from "semver/functions/compare.js";
import {
  type PackedRelease,
  proposeFirstVersion,
  proposeNextVersion,
  proposeRenewal,
  type VersionProposal,
} from "./propose-version.ts";
import { packageInvalid, versionTooLow } from "./package-errors.ts";
import { CHANGELOG, emitPackageBody, emitRelease, type PackageSubject } from "./package/emit-package.ts";
import type { GeneratedFile } from "../../templates/generated-package.ts";
import type { PackedPackage } from "./packed-package.ts";

/**
 * The next release of a server package, or undefined where it would hold what the one before holds.
 * @param chosen replaces the proposed version and forces a release
 */
export async function planRelease(
  subject: PackageSubject,
  previous: PackedPackage | undefined,
  chosen?: string,
): Promise<{ proposal: VersionProposal; files: GeneratedFile[] } | undefined> {
  const body = await emitPackageBody(subject);
  const proposed = proposeRelease(subject, body, previous);
  const proposal = chosen === undefined ? proposed : chooseVersion(proposed, previous, chosen);
  if (proposal === undefined) return undefined;
  return { proposal, files: emitRelease(subject, body, proposal, previous?.files.get(CHANGELOG)) };
}

/** The version and the changes of a release; undefined where it would hold what the one before holds. */
export function proposeRelease(
  subject: PackageSubject,
  body: readonly GeneratedFile[],
  previous: PackedPackage | undefined,
): VersionProposal | undefined {
  const { name, server } = subject;
  if (previous === undefined) return proposeFirstVersion(server);
  if (previous.name !== name || previous.lock.id !== server.id) {
    throw packageInvalid(
      `${previous.name} ${previous.version}`,
      `it is the package of the server "${previous.lock.id}", not a previous release of "${name}" of "${server.id}"`,
    );
  }
  const next = proposeNextVersion(previous, server);
  if (next !== undefined) return next;
  return holdsTheSame(subject, body, previous) ? undefined : proposeRenewal(previous);
}

/** Whether the release before has the files that we would give it now, its changelog aside. */
function holdsTheSame(subject: PackageSubject, body: readonly GeneratedFile[], previous: PackedPackage): boolean {
  const again = emitRelease(subject, body, { version: previous.version, reason: "" });
  return (
    again.length === previous.files.size &&
    again.every(({ path, text }) => path === CHANGELOG || previous.files.get(path) === text)
  );
}

/** The release of a version that was chosen; its reason names what was proposed. */
export function chooseVersion(
  proposal: VersionProposal | undefined,
  previous: PackedRelease | undefined,
  chosen: string,
): VersionProposal {
  if (previous !== undefined && compare(chosen, previous.version) <= 0) throw versionTooLow(chosen, previous.version);
  const reason =
    proposal === undefined ? "nothing has changed" : `${proposal.version} was proposed: ${proposal.reason}`;
  return { ...proposal, version: chosen, reason: `as you chose; ${reason}` };
}
