import type { PackageDifference, VerifiedPackage } from "./pack-servers.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";

/** A package with thousands of files of another generator differs in all of them. */
const MOST_DIFFERENCES = 20;

/** The outcome of `codemode pack --verify`, a line each. Names in the tarball are foreign text. */
export function printVerified(verified: VerifiedPackage): { lines: string[]; isSame: boolean } {
  const { name, version, server, files, differences } = verified;
  const isSame = differences.length === 0;
  const origin = `its lock entry of "${server.id}", ${server.integrity}`;
  return {
    isSame,
    lines: [
      isSame
        ? `${name} ${version}: ${files} files, byte for byte what codemode packs from ${origin}`
        : `${name} ${version}: packed again from ${origin}`,
      ...differences.slice(0, MOST_DIFFERENCES).map(printDifference),
      ...(differences.length > MOST_DIFFERENCES ? [`  and ${differences.length - MOST_DIFFERENCES} more`] : []),
      ...printGenerator(verified),
      ...(verified.lacksPrevious
        ? ["  CHANGELOG.md was not compared: it quotes older releases; give the one before with --previous"]
        : []),
    ].map(oneLine),
  };
}

function printDifference({ path, kind, line }: PackageDifference): string {
  if (path === undefined) return "  all files are the same, but the archive around them is not";
  if (kind === "missing") return `  ${path} is missing`;
  if (kind === "unexpected") return `  ${path} does not belong to it`;
  return `  ${path} differs${line === undefined ? "" : ` in line ${line}`}`;
}

function printGenerator({ generatorVersion, ownGeneratorVersion }: VerifiedPackage): string[] {
  if (generatorVersion === ownGeneratorVersion) return [];
  const made = generatorVersion === undefined ? "a generator that it does not name" : `generator ${generatorVersion}`;
  return [`  it was made by ${made}; this codemode has generator ${ownGeneratorVersion}`];
}
