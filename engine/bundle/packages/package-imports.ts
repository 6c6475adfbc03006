import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { isJsonObject, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { moduleOf, OPERATION_LISTS } from "../../../schemas/lock/operations.ts";
import { importFailure, type ImportProblem, quote } from "../modules/import-problem.ts";
import { findPackage, readManifest, type InstalledPackage, type PackageSpecifier } from "./find-package.ts";
import type { PackageOutcome } from "./package-modules.ts";
import { matchServer, readPublishedServer } from "./published-server.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import { SERVERS_PREFIX } from "../modules/module-ids.ts";

/** Where packages come from, and which of them scripts may import. */
export interface PackageScope {
  /** The project's folder: packages are those that Node would find from there. */
  folder: string;
  /** Names of packages. */
  allow: readonly string[];
}

/** What a package's name means in a script: bindings of a server of the project, code, or nothing that may be imported. */
export type PackageMeaning =
  | { kind: "server"; published: LockedServer; server: LockedServer }
  | { kind: "module"; id: string }
  | { kind: "problem"; problem: ImportProblem };

export interface PackageImportsOptions {
  scope: PackageScope;
  /** The folder of the script; absent for code that was sent as text. */
  scriptFolder: string | undefined;
  lockfile: Lockfile;
  enter: (from: InstalledPackage, subpath: string) => PackageOutcome;
}

/** Says what an import by a package's name means to the author of a script. */
export function findPackageMeaning(wanted: PackageSpecifier, options: PackageImportsOptions): PackageMeaning {
  const { scope, lockfile, enter, scriptFolder } = options;
  const { name, subpath } = wanted;
  const found = findImported(name, scope, scriptFolder);
  const published = found === undefined ? undefined : readPublishedServer(found);
  if (published !== undefined) {
    if (!published.ok) return refuse(describeUnusableServer(name, published.reason));
    const list = OPERATION_LISTS.find((one) => subpath === `./${one.list}`)?.list;
    const inner = describeSubpathOfServer(name + subpath.slice(1), name);
    if (subpath !== "." && list === undefined) return refuse(inner);
    const match = matchServer(published.server, lockfile);
    if (match.kind === "found") {
      const moduleIn = (server: LockedServer) => (list === undefined ? server : moduleOf(server, list));
      const [own, server] = [moduleIn(published.server), moduleIn(match.server)];
      return own === undefined || server === undefined ? refuse(inner) : { kind: "server", published: own, server };
    }
    const isAmbiguous = match.kind === "ambiguous";
    return refuse(isAmbiguous ? describeAmbiguousServer(name, match.serverIds) : describeUnlockedServer(name));
  }
  if (!scope.allow.includes(name)) {
    const isOfProject = scriptFolder !== undefined;
    const known = isOfProject ? dependenciesOf(scope.folder) : [];
    const isInstalled = found !== undefined;
    return refuse(describeForbidden({ name, isInstalled, isOfProject, allowed: scope.allow, known }));
  }
  if (found === undefined) return refuse(describeNotInstalled(name));
  const outcome = enter(found, subpath);
  if (outcome.ok) return { kind: "module", id: outcome.id };
  return refuse(importFailure(`The package ${quote(name)} cannot be used: it ${outcome.reason}.`, outcome.hint));
}

/** The package that a name means to a script. */
export function findImported(
  name: string,
  { folder }: PackageScope,
  scriptFolder: string | undefined,
): InstalledPackage | undefined {
  return findPackage(name, startFolder(folder, scriptFolder));
}

function refuse({ problem }: { problem: ImportProblem }): PackageMeaning {
  return { kind: "problem", problem };
}

/** A script below the project's folder may have packages of its own; any other one gets those of the project. */
function startFolder(projectFolder: string, scriptFolder: string | undefined): string {
  if (scriptFolder === undefined) return projectFolder;
  const [project, script] = [realpathSync(projectFolder), realpathSync(scriptFolder)];
  const way = relative(project, script);
  return isAbsolute(way) || way.split(sep)[0] === ".." ? project : script;
}

/** The names that the project's own `package.json` lists. */
function dependenciesOf(projectFolder: string): string[] {
  try {
    const manifest = readManifest(realpathSync(projectFolder)) ?? {};
    return ["dependencies", "devDependencies"].flatMap((member) => {
      const names = ownValue(manifest, member);
      return isJsonObject(names) ? Object.keys(names) : [];
    });
  } catch {
    return [];
  }
}

type Failure = ReturnType<typeof importFailure>;

/** What is known of a package that may not be imported. */
interface ForbiddenPackage {
  name: string;
  isInstalled: boolean;
  /** False for code that was sent as text: its sender cannot change the project. */
  isOfProject: boolean;
  allowed: readonly string[];
  /** Names of packages for suggestions. */
  known: readonly string[];
}

function describeForbidden({ name, isInstalled, isOfProject, allowed, known }: ForbiddenPackage): Failure {
  const shown = quote(name);
  const nearest = nearestName(name, [...allowed, ...known]);
  // Code that was sent as text must not learn what is installed.
  if (!(isInstalled && isOfProject) && nearest !== undefined) {
    return importFailure(`There is no package ${shown}.`, `Did you mean "${nearest}"?`);
  }
  const message = `The package ${shown} is not available: scripts import servers, "@codemode/discovery", "@codemode/errors", modules beside them and packages that the configuration allows.`;
  const allow = `add ${shown} to "bundle": { "allow": […] } in the configuration`;
  if (!isOfProject) {
    const others = allowed.length === 0 ? "" : ` Allowed packages: ${listSome(allowed)}.`;
    return importFailure(message, `Write the code that you need into the script, or have a person ${allow}.${others}`);
  }
  return isInstalled
    ? importFailure(
        `The package ${shown} is installed, but scripts may not import it.`,
        `If it is pure JavaScript, ${allow}.`,
      )
    : importFailure(message, `Install it with \`npm install ${name}\`, and ${allow}.`);
}

function describeNotInstalled(name: string): Failure {
  return importFailure(
    `The package ${quote(name)} is allowed but not installed.`,
    `Install it in the project, for instance with \`npm install ${name}\`.`,
  );
}

function describeSubpathOfServer(specifier: string, name: string): Failure {
  return importFailure(
    `The inner module ${quote(specifier)} of a server package cannot be imported.`,
    `Import the tools from "${name}".`,
  );
}

function describeUnusableServer(name: string, reason: string): Failure {
  return importFailure(
    `The server package ${quote(name)} cannot be used: ${reason}.`,
    "Install it again; if that does not help, ask its publisher.",
  );
}

function describeUnlockedServer(name: string): Failure {
  return importFailure(
    `The server of the package ${quote(name)} is not locked in this project.`,
    "Add the server to the project, so that it has a place in the configuration and in the lockfile.",
  );
}

function describeAmbiguousServer(name: string, serverIds: readonly string[]): Failure {
  return importFailure(
    `Several servers of this project have the tools of the package ${quote(name)}.`,
    `Import the one that you mean by its own name: ${listSome(serverIds.map((id) => SERVERS_PREFIX + id))}.`,
  );
}

/** Tools that the package and the project have by one name, and that differ. */
export function describeToolDrift(name: string, toolNames: readonly string[], serverId: string): ImportProblem {
  return {
    code: "LOCK_DRIFT",
    message: `The package ${quote(name)} and the lockfile of this project differ in ${toolNames.slice(0, MAX_LISTED).map(quote).join(", ")} of the server "${serverId}".`,
    hint: `Install the version of ${quote(name)} that was made from the same tools, or lock the server again; "${SERVERS_PREFIX}${serverId}" has the tools as this project has locked them.`,
  };
}

export function describeMissingOfPackage(name: string, exportName: string, serverId: string): ImportProblem {
  return importFailure(
    `The package ${quote(name)} has no tool ${quote(exportName)}.`,
    `Update the package, or import the tool from "${SERVERS_PREFIX}${serverId}".`,
  ).problem;
}

const MAX_LISTED = 10;

function listSome(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return names.slice(0, MAX_LISTED).map(quote).join(", ") + more;
}
