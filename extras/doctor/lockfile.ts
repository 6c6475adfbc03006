import { readFileSync } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { outputFolder } from "../../engine/project/project-places.ts";
import { digestOf, readEmissionRecord } from "../../engine/project/emit/emit-changed.ts";
import { readLockfile } from "../../engine/project/lockfile-file.ts";
import { outdatedServers } from "../../engine/project/prepare-project.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config } from "../../schemas/config/config.ts";
import { LOCKFILE_VERSION, type Lockfile } from "../../schemas/lock/lockfile.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Finding, info, ok, printSome, problem, toFinding, type FoundState, warning } from "./doctor-report.ts";

/** The lockfile of a project folder and what is said of it; undefined where there is none, or it is wrong. */
interface LookedAtLockfile {
  lockfile: Lockfile | undefined;
  locked: Finding;
  isLockMissing: boolean;
}

/** Reads the lockfile and checks all that is in it. */
export async function lookAtLockfile(folder: string): Promise<LookedAtLockfile> {
  const toLooked = (verdict: FoundState, lockfile?: Lockfile, facts?: Finding["facts"]): LookedAtLockfile => {
    const locked = toFinding("lockfile.file", "file", verdict, facts);
    return { lockfile, locked, isLockMissing: false };
  };
  try {
    const lockfile = await readLockfile({ folder });
    if (lockfile === undefined) {
      const missing = warning("there is none", "Run `codemode lock` and commit the result.");
      return { ...toLooked(missing), isLockMissing: true };
    }
    const [version, servers] = [LOCKFILE_VERSION, lockfile.servers.size];
    const tools = [...lockfile.servers.values()].reduce((sum, server) => sum + server.tools.length, 0);
    const parts = `${countOf(servers, "server")}, ${countOf(tools, "tool")}`;
    const verdict = ok(`version ${version}, ${parts}; all integrities match`);
    return toLooked(verdict, lockfile, { version, servers, tools });
  } catch (error) {
    if (!(error instanceof CodemodeError)) throw error;
    return toLooked(problem(error.message, error.hint));
  }
}

/** What follows from a configuration and a lockfile: who is locked, and how the generated package is. Emits nothing. */
export async function lookAtFollowers(config: Config, lockfile: Lockfile): Promise<Finding[]> {
  const folder = outputFolder(config);
  const [outdated, record, link] = await Promise.all([
    outdatedServers(config, lockfile),
    readEmissionRecord(config),
    findLink(config.folder, folder),
  ]);
  const digests = [...record.values()].flatMap((emitted) => [...emitted.digests]);
  const edited = digests.filter(([path, digest]) => digestAt(join(folder, path)) !== digest).map(([path]) => path);
  return [
    evaluateServers(config, lockfile),
    // Nothing is known of edits without a record of the written state.
    evaluateFiles(outdated, record.size === 0 ? undefined : edited),
    toFinding("lockfile.link", "@codemode/servers", LINKS[link], { link }),
    ...(resolvesRuntime(config.folder) ? [] : [NO_RUNTIME]),
  ];
}

/** What is configured and not locked, or the other way round. */
function evaluateServers({ servers }: Config, lockfile: Lockfile): Finding {
  const configured = new Set(servers.map(({ id }) => id));
  const missing = [...configured].filter((id) => !lockfile.servers.has(id));
  const surplus = [...lockfile.servers.keys()].filter((id) => !configured.has(id));
  const found = [
    ...(missing.length === 0 ? [] : [`configured and not locked: ${printSome(missing)}`]),
    ...(surplus.length === 0 ? [] : [`locked and not configured: ${printSome(surplus)}`]),
  ].join("; ");
  const verdict = found === "" ? ok("those of the configuration") : warning(found, "Run `codemode lock`.");
  return toFinding("lockfile.servers", "servers", verdict, { missing, surplus });
}

/** @param outdated servers whose folder is missing, or was made from another entry or by another generator */
function evaluateFiles(outdated: string[], edited: string[] | undefined): Finding {
  const judge = (verdict: FoundState, facts?: Finding["facts"]): Finding =>
    toFinding("lockfile.generated", "generated files", verdict, facts);
  const hint = "Run `codemode generate`.";
  if (outdated.length > 0) {
    return judge(warning(`out of date with this lockfile: ${printSome(outdated)}`, hint), { outdated });
  }
  if (edited === undefined) return judge(ok("generated from this lockfile; `codemode generate --check` finds edits"));
  if (edited.length > 0) return judge(warning(`edited or missing: ${printSome(edited)}`, hint), { edited });
  return judge(ok("as the lockfile requires"));
}

function digestAt(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

const LINK_HINT = "Run `codemode generate`, which links it.";

/** What `@codemode/servers` may lead to from the project. */
const LINKS = {
  here: ok("links to the generated files"),
  installed: info("is an installed package, which is left alone"),
  elsewhere: warning("links to another folder than the generated files", LINK_HINT),
  missing: warning("is not linked: editors and Node do not find it", LINK_HINT),
};

async function findLink(project: string, folder: string): Promise<keyof typeof LINKS> {
  const link = join(project, "node_modules", "@codemode", "servers");
  const found = await lstat(link).catch(() => undefined);
  if (found === undefined) return "missing";
  if (!found.isSymbolicLink()) return "installed";
  const target = await readlink(link);
  if (target === relative(dirname(link), folder)) return "here";
  const real = await Promise.all([link, folder].map((path) => realpath(path).catch(() => undefined)));
  return real[0] !== undefined && real[0] === real[1] ? "here" : "elsewhere";
}

const NO_RUNTIME = toFinding(
  "lockfile.runtime",
  "@codemode/runtime",
  warning("does not resolve from the project", LINK_HINT),
);

function resolvesRuntime(project: string): boolean {
  try {
    createRequire(join(project, "package.json")).resolve("@codemode/runtime/package.json");
    return true;
  } catch {
    return false;
  }
}
