import { isProgram } from "../../schemas/config/program-server.ts";
import { asOneStep } from "../../engine/project/as-one-step.ts";
import { join, resolve } from "node:path";
import type { Config, ServerSource } from "../../schemas/config/config.ts";
import { lockfileOutdated, optionInvalid } from "../../schemas/errors.ts";
import { secretInPackage } from "./package-errors.ts";
import { findLockMismatches } from "../../schemas/lock/lock-mismatch.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { findLiteralSecrets } from "../../schemas/secrets/literal-secrets.ts";
import { defaultPackageName, isPackageName, isScope, toTarballName } from "./package/package-name.ts";
import { assertOutput, writeOutputFile } from "../../engine/project/output-file.ts";
import { findServer } from "../../engine/project/config/find-server.ts";
import { countParts, type OnProgress } from "../../schemas/progress.ts";
import { formatTarball, toPackedFiles } from "./format-tarball.ts";
import { readInheritedMembers } from "./inherited-members.ts";
import { findNewest, readPackage } from "./packed-package.ts";
import { type ProjectPreparation, prepareLockfile } from "../../engine/project/prepare-project.ts";
import { printStatement, statementPath } from "./print-statement.ts";
import { planRelease } from "./plan-release.ts";

/** What to pack, and under which name. */
export interface PackOptions {
  config: Config;
  /** How far the first lock may go, where there is none. */
  preparing: ProjectPreparation;
  /** Of servers, by id or name; all of the lockfile where empty. */
  names: readonly string[];
  /** Of the package, where there is one server. */
  name?: string | undefined;
  /** With its at sign. */
  scope?: string | undefined;
  /** The folder for the tarballs, absolute. */
  out: string;
  /** The tarball of the release before, absolute; else the newest one in `out`. */
  previous?: string | undefined;
  /** A version that takes the place of the proposed one. */
  version?: string | undefined;
  onProgress?: OnProgress | undefined;
}

/** What became of one server. */
export interface PackedServer {
  server: LockedServer;
  name: string;
  /** Absent where there is nothing new. */
  release?: { version: string; reason: string; file: string } | undefined;
  /** The version before. */
  previous?: string | undefined;
}

/** Makes one tarball per server, for those of which there is something new. */
export async function packServers(options: PackOptions): Promise<PackedServer[]> {
  const lockfile = await prepareLockfile(options.config, options.preparing);
  assertLockFollows(lockfile, options);
  const servers = chooseServers(lockfile, options);
  for (const [option, value] of [
    ["--name", options.name],
    ["--previous", options.previous],
    ["--as", options.version],
  ] as const) {
    if (value !== undefined && servers.length !== 1) throw optionInvalid(option, "it is for one server; name one");
  }
  const own = servers.find(isProgram);
  if (own !== undefined)
    throw optionInvalid("pack", `"${own.name}" is a program's own server, which a package cannot reach`);
  for (const server of servers) assertNoSecrets(server, options);
  const packed: PackedServer[] = [];
  const finish = countParts(
    servers.map(({ id }) => id),
    options.onProgress ?? (() => undefined),
  );
  // One after the other: the printers of all at once would fill the memory.
  for (const server of servers) {
    packed.push(await packServer(server, options));
    finish(server.id);
  }
  return packed;
}

/** What is packed is published: it must be what the configuration says now, not what it said when it was locked. */
function assertLockFollows(lockfile: Lockfile, { config, names }: PackOptions): void {
  const all = [...config.servers.map(({ id }) => id), ...lockfile.servers.keys()];
  const looked = new Set(names.length === 0 ? all : names.map((name) => findServer(config, name).id));
  const mismatches = findLockMismatches(config, lockfile, looked);
  if (mismatches.length > 0) throw lockfileOutdated(mismatches);
}

function chooseServers(lockfile: Lockfile, { config, names }: PackOptions): LockedServer[] {
  const locked = [...lockfile.servers.values()];
  if (names.length === 0) return locked;
  const ids = new Set(names.map((name) => findServer(config, name).id));
  return locked.filter(({ id }) => ids.has(id));
}

/** Looks at the lock entry too, which anyone may have written. */
function assertNoSecrets(server: LockedServer, { config }: PackOptions): void {
  const configured = config.servers.find(({ id }) => id === server.id);
  const { name, source } = server;
  if (source.transport === "program") return;
  const lockedSource: ServerSource =
    source.transport === "stdio" ? { ...source, env: new Map() } : { ...source, headers: new Map() };
  const notSecret = configured?.notSecret ?? [];
  const found = [
    ...(configured === undefined ? [] : findLiteralSecrets(configured)),
    ...findLiteralSecrets({ name, source: lockedSource, notSecret }),
  ];
  if (found.length === 0) return;
  const [places, variables] = [found.map(({ place }) => place), found.map(({ variable }) => variable)];
  throw secretInPackage(name, [...new Set(places)], [...new Set(variables)]);
}

async function packServer(server: LockedServer, options: PackOptions): Promise<PackedServer> {
  const name = choosePackageName(server.id, options);
  const { out } = options;
  const previous = await (options.previous === undefined ? findNewest(out, name) : readPackage(options.previous));
  const inherited = await readInheritedMembers(options.config);
  const release = await planRelease({ name, server, inherited }, previous, options.version);
  const before = previous === undefined ? {} : { previous: previous.version };
  if (release === undefined) return { server, name, ...before };
  const { version, reason } = release.proposal;
  const file = join(resolve(out), `${toTarballName(name)}-${version}.tgz`);
  const tarball = await formatTarball(toPackedFiles(release.files));
  const project = options.config.folder;
  const statement = statementPath(file);
  // Both or none.
  await assertOutput(statement, "package statement", project);
  await asOneStep([file, statement], project, async () => {
    await writeOutputFile(file, tarball, { project, kind: "package tarball" });
    const text = printStatement(file, tarball, { name, version, server });
    await writeOutputFile(statement, text, { project, kind: "package statement" });
  });
  return { server, name, ...before, release: { version, reason, file } };
}

function choosePackageName(serverId: string, { name, scope }: PackOptions): string {
  if (scope !== undefined && !isScope(scope)) throw optionInvalid("--scope", "it looks like @acme, in small letters");
  if (name === undefined) return defaultPackageName(serverId, scope);
  if (scope !== undefined && name.includes("/")) throw optionInvalid("--name", "it already has a scope");
  const whole = scope === undefined ? name : `${scope}/${name}`;
  if (!isPackageName(whole)) throw optionInvalid("--name", `npm does not accept "${whole}" as a name`);
  return whole;
}
