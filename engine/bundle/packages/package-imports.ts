import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { isJsonObject, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { moduleOf, OPERATION_LISTS } from "../../../schemas/lock/operations.ts";
import { importFailure, type ImportOutcome, type ImportProblem, quote } from "../modules/import-problem.ts";
import { findPackage, readManifest, type InstalledPackage, type PackageSpecifier } from "./find-package.ts";
import type { PackageModules } from "./package-modules.ts";
import { matchServer, type PublishedServer, readPublishedServer } from "./published-server.ts";
import { nearestName } from "@codemode/runtime/nearest-name";
import { SERVERS_PREFIX } from "../modules/module-ids.ts";

/** Where packages come from, and which of them scripts may import. */
export interface PackageScope {
  /** The project's folder: Node would find the packages from there. */
  folder: string;
  /** Names of packages. */
  allow: readonly string[];
}

/** What a package's name means in a script: bindings of a server of the project, code, or nothing that may be imported. */
export type PackageMeaning =
  | ImportOutcome
  | { ok: false; problem: ImportProblem; isForbidden: true }
  | { ok: true; published: LockedServer; server: LockedServer };

/**
 * Says what an import by a package's name means to the author of a script.
 * @param scriptFolder absent for code that was sent as text
 */
export function findPackageMeaning(
  wanted: PackageSpecifier,
  scope: PackageScope,
  scriptFolder: string | undefined,
  lockfile: Lockfile,
  enter: PackageModules["enter"],
): PackageMeaning {
  const { name, subpath } = wanted;
  const found = findImported(name, scope, scriptFolder);
  const published = found === undefined ? undefined : readPublishedServer(found);
  if (published !== undefined) return findServerMeaning(wanted, published, lockfile);
  if (!scope.allow.includes(name)) {
    const problem = describeForbidden(name, found !== undefined, scope, scriptFolder);
    return { ok: false, problem, isForbidden: true };
  }
  if (found === undefined) {
    const hint = `Install it in the project, for instance with \`npm install ${name}\`.`;
    return importFailure(`The package ${quote(name)} is allowed but not installed.`, hint);
  }
  const outcome = enter(found, subpath);
  if (outcome.ok) return outcome;
  return importFailure(`The package ${quote(name)} cannot be used: it ${outcome.reason}.`, outcome.hint);
}

function findServerMeaning(
  { name, subpath }: PackageSpecifier,
  published: PublishedServer,
  lockfile: Lockfile,
): PackageMeaning {
  const shown = quote(name);
  if (!published.ok) {
    const hint = "Install it again; if that does not help, ask its publisher.";
    return importFailure(`The server package ${shown} cannot be used: ${published.reason}.`, hint);
  }
  const list = OPERATION_LISTS.find((one) => subpath === `./${one.list}`)?.list;
  const inner = importFailure(
    `The inner module ${quote(name + subpath.slice(1))} of a server package cannot be imported.`,
    `Import the tools from "${name}".`,
  );
  if (subpath !== "." && list === undefined) return inner;
  const match = matchServer(published.server, lockfile);
  if (match.kind === "found") {
    const moduleIn = (server: LockedServer) => (list === undefined ? server : moduleOf(server, list));
    const [own, server] = [moduleIn(published.server), moduleIn(match.server)];
    return own === undefined || server === undefined ? inner : { ok: true, published: own, server };
  }
  if (match.kind === "unlocked") {
    return importFailure(
      `The server of the package ${shown} is not locked in this project.`,
      "Add the server to the project, so that it has a place in the configuration and in the lockfile.",
    );
  }
  const servers = listSome(match.serverIds.map((id) => SERVERS_PREFIX + id));
  return importFailure(
    `Several servers of this project have the tools of the package ${shown}.`,
    `Import the one that you mean by its own name: ${servers}.`,
  );
}

/** The package that a name means to a script. */
export function findImported(
  name: string,
  { folder }: PackageScope,
  scriptFolder: string | undefined,
): InstalledPackage | undefined {
  return findPackage(name, startFolder(folder, scriptFolder));
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

function describeForbidden(
  name: string,
  isInstalled: boolean,
  { folder, allow: allowed }: PackageScope,
  scriptFolder: string | undefined,
): ImportProblem {
  // Who sends code as text cannot change the project, and must not learn what is installed.
  const isOfProject = scriptFolder !== undefined;
  const shown = quote(name);
  const nearest = nearestName(name, [...allowed, ...(isOfProject ? dependenciesOf(folder) : [])]);
  if (!(isInstalled && isOfProject) && nearest !== undefined) {
    return importFailure(`There is no package ${shown}.`, `Did you mean "${nearest}"?`).problem;
  }
  const message = `The package ${shown} is not available: scripts import servers, "@codemode/discovery", "@codemode/errors", modules beside them and packages that the configuration allows.`;
  const allow = `add ${shown} to "bundle": { "allow": […] } in the configuration`;
  if (!isOfProject) {
    const others = allowed.length === 0 ? "" : ` Allowed packages: ${listSome(allowed)}.`;
    const hint = `Write the code that you need into the script, or have a person ${allow}.${others}`;
    return importFailure(message, hint).problem;
  }
  const { problem } = isInstalled
    ? importFailure(
        `The package ${shown} is installed, but scripts may not import it.`,
        `If it is pure JavaScript, ${allow}.`,
      )
    : importFailure(message, `Install it with \`npm install ${name}\`, and ${allow}.`);
  return problem;
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
