import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { isJsonObject, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { moduleOf, OPERATION_LISTS } from "../../../schemas/lock/operations.ts";
import { importFailure, type ImportProblem } from "../imports/import-problem.ts";
import { quote } from "../syntax/quote.ts";
import { findPackage, readManifest, type InstalledPackage } from "./find-package.ts";
import type { PackageOutcome } from "./package-modules.ts";
import type { PackageSpecifier } from "./package-specifier.ts";
import * as problems from "./package-problems.ts";
import { matchServer, readPublishedServer } from "./published-server.ts";

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
    if (!published.ok) return refuse(problems.describeUnusableServer(name, published.reason));
    const list = OPERATION_LISTS.find((one) => subpath === `./${one.list}`)?.list;
    const inner = problems.describeSubpathOfServer(name + subpath.slice(1), name);
    if (subpath !== "." && list === undefined) return refuse(inner);
    const match = matchServer(published.server, lockfile);
    if (match.kind === "found") {
      const moduleIn = (server: LockedServer) => (list === undefined ? server : moduleOf(server, list));
      const [own, server] = [moduleIn(published.server), moduleIn(match.server)];
      return own === undefined || server === undefined ? refuse(inner) : { kind: "server", published: own, server };
    }
    const isAmbiguous = match.kind === "ambiguous";
    return refuse(
      isAmbiguous ? problems.describeAmbiguousServer(name, match.serverIds) : problems.describeUnlockedServer(name),
    );
  }
  if (!scope.allow.includes(name)) {
    const isOfProject = scriptFolder !== undefined;
    const known = isOfProject ? dependenciesOf(scope.folder) : [];
    const isInstalled = found !== undefined;
    return refuse(problems.describeForbidden({ name, isInstalled, isOfProject, allowed: scope.allow, known }));
  }
  if (found === undefined) return refuse(problems.describeNotInstalled(name));
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
