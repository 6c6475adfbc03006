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
import type { GeneratedFile } from "../../templates/generated-file.ts";
import type { PackedPackage } from "./packed-package.ts";

/** A package that is ready to be written. */
export interface Release {
  proposal: VersionProposal;
  files: GeneratedFile[];
}

/**
 * The next release of a server package, or undefined where it would hold what the one before holds.
 * @param chosen replaces the proposed version and forces a release
 */
export async function planRelease(
  subject: PackageSubject,
  previous: PackedPackage | undefined,
  chosen?: string,
): Promise<Release | undefined> {
  const body = await emitPackageBody(subject);
  const proposal = proposeRelease(subject, body, previous, chosen);
  if (proposal === undefined) return undefined;
  return { proposal, files: emitRelease(subject, body, proposal, previous?.files.get(CHANGELOG)) };
}

/** The version and the changes of a release; with a chosen version there always is one. */
export function proposeRelease(
  subject: PackageSubject,
  body: readonly GeneratedFile[],
  previous: PackedPackage | undefined,
  chosen: string,
): VersionProposal;
export function proposeRelease(
  subject: PackageSubject,
  body: readonly GeneratedFile[],
  previous: PackedPackage | undefined,
  chosen: string | undefined,
): VersionProposal | undefined;
export function proposeRelease(
  subject: PackageSubject,
  body: readonly GeneratedFile[],
  previous: PackedPackage | undefined,
  chosen: string | undefined,
): VersionProposal | undefined {
  assertSameServer(subject, previous);
  return choose(propose(subject, body, previous), previous, chosen);
}

function assertSameServer({ name, server }: PackageSubject, previous: PackedPackage | undefined): void {
  if (previous === undefined || (previous.name === name && previous.lock.id === server.id)) return;
  throw packageInvalid(
    `${previous.name} ${previous.version}`,
    `it is the package of the server "${previous.lock.id}", not a previous release of "${name}" of "${server.id}"`,
  );
}

function propose(
  subject: PackageSubject,
  body: readonly GeneratedFile[],
  previous: PackedPackage | undefined,
): VersionProposal | undefined {
  if (previous === undefined) return proposeFirstVersion(subject.server);
  const next = proposeNextVersion(previous, subject.server);
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

function choose(
  proposal: VersionProposal | undefined,
  previous: PackedRelease | undefined,
  chosen: string | undefined,
): VersionProposal | undefined {
  if (chosen === undefined) return proposal;
  if (previous !== undefined && compare(chosen, previous.version) <= 0) {
    throw versionTooLow(chosen, previous.version);
  }
  const reason =
    proposal === undefined ? "nothing has changed" : `${proposal.version} was proposed: ${proposal.reason}`;
  return { ...proposal, version: chosen, reason: `as you chose; ${reason}` };
}
