/** A version of Semantic Versioning 2.0.0, without build metadata, which takes no part in its order. */
export interface Version {
  major: number;
  minor: number;
  patch: number;
  /** The identifiers after the hyphen; empty for a release. */
  prerelease: readonly string[];
}

/** What a release changes: the number that grows. */
export type VersionStep = "major" | "minor" | "patch";

/** Numbers stay safe integers, as npm wants them. */
const NUMBER = "(0|[1-9]\\d{0,14})";
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Reads a version, or gives undefined where the text is none. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, tail] = (text.length <= 256 && SEMVER.exec(text)) || [];
  if (major === undefined) return undefined;
  const prerelease = tail === undefined ? [] : tail.split(".");
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease };
}

/** The text of a version. */
export function formatVersion({ major, minor, patch, prerelease }: Version): string {
  return `${major}.${minor}.${patch}${prerelease.length === 0 ? "" : `-${prerelease.join(".")}`}`;
}

/** Negative where `left` comes before `right` (section 11). */
export function compareVersions(left: Version, right: Version): number {
  const difference = left.major - right.major || left.minor - right.minor || left.patch - right.patch;
  if (difference !== 0) return difference;
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return right.prerelease.length - left.prerelease.length;
  }
  for (const [index, part] of left.prerelease.entries()) {
    const other = right.prerelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return left.prerelease.length - right.prerelease.length;
}

/** Numbers come before words, and are ordered by value. */
function compareIdentifiers(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (leftIsNumber && rightIsNumber) return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The next release, one step further; below 1.0.0 a major step is a minor one (section 4). */
export function bumpVersion({ major, minor, patch }: Version, step: VersionStep): Version {
  if (step === "major" && major > 0) return { major: major + 1, minor: 0, patch: 0, prerelease: [] };
  if (step !== "patch") return { major, minor: minor + 1, patch: 0, prerelease: [] };
  return { major, minor, patch: patch + 1, prerelease: [] };
}
