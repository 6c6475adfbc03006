import { isAbsolute, relative, resolve, sep } from "node:path";
import { optionInvalid } from "../../schemas/errors.ts";
import { packageDiffers } from "./package-errors.ts";
import { readVersion } from "./read-version.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { loadConfig } from "../../engine/load-config.ts";
import type { PackedServer } from "./pack-servers.ts";
import type { PackageDifference, VerifiedPackage } from "./verify-package.ts";
import { reportError } from "../../cli/print/report.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";

/** `codemode pack`: makes an npm package of each server, as a tarball that `npm publish` takes as it is, or verifies one. */
export const pack: Command = async (invocation) => {
  if (invocation.options.has("verify")) return await verify(invocation);
  const { args, options, context } = invocation;
  const { cwd, output, showProgress, signal } = context;
  const version = chosenVersion(options.text("as"));
  const config = await loadConfig(context);
  // The printers bring in two compilers.
  const { packServers } = await import("./pack-servers.ts");
  const [name, scope, out, previous] = ["name", "scope", "out", "previous"].map((option) => options.text(option));
  const progress = showProgress("Packing");
  const packed = await packServers({
    ...{ config, name, scope, version, names: args, onProgress: progress.update },
    preparing: { frozen: options.has("frozen"), note: output.note, showProgress, signal },
    out: out === undefined ? resolve(config.folder, "packages") : resolve(cwd, out),
    previous: previous && resolve(cwd, previous),
  }).finally(progress.end);
  for (const outcome of packed) {
    for (const line of describe(outcome)) output.note(line);
    if (outcome.release !== undefined) output.result(toArgument(relative(cwd, outcome.release.file)));
  }
  return 0;
};

/** Needs no project: all that counts is in the tarball. */
async function verify({ args, options, context }: Invocation): Promise<number> {
  const { cwd, output, verbose } = context;
  const unused = ["name", "scope", "out", "as", "frozen"].find((option) => options.has(option));
  if (unused !== undefined || args.length > 0) {
    throw optionInvalid("--verify", "it reads one tarball; the only other option is --previous");
  }
  const [file, previous] = ["verify", "previous"].map((option) => options.text(option));
  const { verifyPackage } = await import("./verify-package.ts");
  const verified = await verifyPackage(resolve(cwd, file ?? ""), previous && resolve(cwd, previous));
  const { lines, isSame } = printVerified(verified);
  for (const line of lines) output.note(line);
  return isSame ? 0 : reportError(packageDiffers(verified.name, verified.version), output, verbose);
}

function chosenVersion(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const version = readVersion(text);
  if (version === undefined) throw optionInvalid("--as", `"${text}" is not a semantic version such as 1.2.3`);
  return version;
}

/** As `npm publish` takes it: `packages/x.tgz` without a dot might be a repository at GitHub. */
function toArgument(path: string): string {
  return isAbsolute(path) || path.startsWith("..") ? path : `.${sep}${path}`;
}

function describe({ server, name, release, previous }: PackedServer): string[] {
  if (release === undefined) return [`${name}: no changes since ${previous}; nothing was written`];
  const step = previous === undefined ? release.version : `${previous} → ${release.version}`;
  const line = `${name} ${step}: ${release.reason}`;
  const places = findLocalPlaces(server);
  return places.length === 0 ? [line] : [line, `  its lock entry contains paths of this machine: ${places.join(", ")}`];
}

/** What readers of a published package might better not know, and cannot use. */
function findLocalPlaces({ source }: LockedServer): string[] {
  const words =
    source.transport === "stdio"
      ? [source.command, ...source.args, source.cwd ?? ""]
      : "url" in source
        ? [source.url]
        : [];
  return words.filter((word) => /^(?:\/|~|[A-Za-z]:[\\/]|https?:\/\/(?:localhost|127\.|\[::1\]|[^/]*@))/.test(word));
}

/** A package with thousands of files of another generator differs in all of them. */
const MOST_DIFFERENCES = 20;

/** The outcome of `codemode pack --verify`, a line each. Names in the tarball are foreign text. */
function printVerified(verified: VerifiedPackage): { lines: string[]; isSame: boolean } {
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
