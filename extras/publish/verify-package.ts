import { basename, dirname } from "node:path";
import { optionInvalid } from "../../schemas/errors.ts";
import { byCodeUnits, canonicalJson } from "../../schemas/json/canonical-json.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { GENERATOR_VERSION } from "../../templates/generated-package.ts";
import { CHANGELOG, emitPackageBody, emitRelease } from "./package/emit-package.ts";
import { readTextIfPresent } from "../../engine/project/files.ts";
import { formatTarball, toPackedFiles } from "./format-tarball.ts";
import { pickInherited } from "./inherited-members.ts";
import { findNewest, type PackedPackage, readPackage } from "./packed-package.ts";
import { chooseVersion, proposeRelease } from "./plan-release.ts";
import { printStatement, statementPath } from "./print-statement.ts";

/** Where a tarball and what codemode packs from its lock entry differ. */
export interface PackageDifference {
  /** In the package; absent where the files are the same and the archive around them is not. */
  path?: string | undefined;
  kind: "changed" | "missing" | "unexpected";
  /** The first line that differs, from 1. */
  line?: number | undefined;
}

/** What packing a tarball again showed. */
export interface VerifiedPackage {
  name: string;
  version: string;
  server: LockedServer;
  files: number;
  /** The generator that the package names; absent in packages of codemode before generator 5 named itself. */
  generatorVersion?: string | undefined;
  /** The generator of this codemode. */
  ownGeneratorVersion: string;
  differences: PackageDifference[];
  /** Whether the changelog could not be compared, because it quotes releases that are not at hand. */
  lacksPrevious: boolean;
}

/**
 * Packs a tarball again from the lock entry in it, and compares every byte. Name, version and the members that a project hands
 * down (author, license, repository, bugs, publishConfig) are the publisher's own words and are taken from its `package.json`.
 *
 * @param file of `codemode pack`, absolute
 * @param previous the tarball of the release before, absolute; else the newest older one in the same folder
 * @throws CodemodeError (PACKAGE_INVALID) where it is no tarball of codemode, or a damaged one
 */
export async function verifyPackage(file: string, previous?: string): Promise<VerifiedPackage> {
  const packed = await readPackage(file);
  const before = await readPrevious(packed, file, previous);
  const subject = { name: packed.name, server: packed.lock, inherited: pickInherited(packed.manifest) };
  const body = await emitPackageBody(subject);
  const proposal = chooseVersion(proposeRelease(subject, body, before), before, packed.version);
  const lacksPrevious = before === undefined && quotesOlderRelease(packed);
  const again = emitRelease(subject, body, proposal, before?.files.get(CHANGELOG)).map((emitted) =>
    lacksPrevious && emitted.path === CHANGELOG ? { ...emitted, text: packed.files.get(CHANGELOG) ?? "" } : emitted,
  );
  const differences = compareFiles(packed.files, new Map(again.map(({ path, text }) => [path, text])));
  if (differences.length === 0) {
    if (!packed.bytes.equals(await formatTarball(toPackedFiles(again)))) differences.push({ kind: "changed" });
    else differences.push(...(await compareStatement(file, packed)));
  }
  const { name, version, lock: server } = packed;
  return {
    ...{ name, version, server, files: packed.files.size, ...generatorOf(packed) },
    ...{ ownGeneratorVersion: GENERATOR_VERSION, differences, lacksPrevious },
  };
}

async function readPrevious(
  packed: PackedPackage,
  file: string,
  previous: string | undefined,
): Promise<PackedPackage | undefined> {
  if (previous === undefined) return await findNewest(dirname(file), packed.name, packed.version);
  const before = await readPackage(previous);
  if (before.name === packed.name) return before;
  throw optionInvalid("--previous", `it is a release of "${before.name}", not of "${packed.name}"`);
}

/** The statement beside a tarball, where there is one. Its builder is the codemode that packed, which may be another release. */
async function compareStatement(
  file: string,
  { name, version, lock, bytes }: PackedPackage,
): Promise<PackageDifference[]> {
  const path = statementPath(file);
  const found = path === file ? undefined : await readTextIfPresent(path, "lock");
  if (found === undefined) return [];
  const expected = withoutBuilder(printStatement(file, bytes, { name, version, server: lock }));
  const isSame = withoutBuilder(found) === expected;
  return isSame ? [] : [{ path: basename(path), kind: "changed" }];
}

function withoutBuilder(statement: string): string | undefined {
  try {
    return canonicalJson(
      JSON.parse(statement, (key, value: JsonValue) => (key === "runDetails" ? undefined : value)) as JsonValue,
    );
  } catch {
    return undefined;
  }
}

function quotesOlderRelease({ files }: PackedPackage): boolean {
  return (files.get(CHANGELOG)?.match(/^## /gm)?.length ?? 0) > 1;
}

function generatorOf({ manifest }: PackedPackage): { generatorVersion?: string | undefined } {
  const own = ownValue(manifest, "codemode");
  const version = own !== undefined && isJsonObject(own) ? ownValue(own, "generatorVersion") : undefined;
  return typeof version === "string" ? { generatorVersion: version } : {};
}

function compareFiles(packed: ReadonlyMap<string, string>, again: ReadonlyMap<string, string>): PackageDifference[] {
  const paths = [...new Set([...packed.keys(), ...again.keys()])].toSorted(byCodeUnits);
  return paths.flatMap((path): PackageDifference[] => {
    const [found, expected] = [packed.get(path), again.get(path)];
    if (found === expected) return [];
    if (found === undefined) return [{ path, kind: "missing" }];
    if (expected === undefined) return [{ path, kind: "unexpected" }];
    return [{ path, kind: "changed", line: firstDifferentLine(found, expected) }];
  });
}

function firstDifferentLine(left: string, right: string): number {
  const [lines, others] = [left.split("\n"), right.split("\n")];
  return lines.findIndex((line, index) => line !== others[index]) + 1 || lines.length;
}
