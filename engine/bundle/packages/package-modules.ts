import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { isJsonObject, ownValue, type JsonObject } from "../../../schemas/json/json.ts";
import { toPackageModuleId, toPackagePath } from "../imports/module-ids.ts";
import { quote } from "../syntax/quote.ts";
import { findPackageFile } from "./find-package-file.ts";
import { findPackage, type InstalledPackage } from "./find-package.ts";
import { resolveExport, resolveInnerName } from "./package-exports.ts";
import { parsePackageSpecifier } from "./package-specifier.ts";
import { hasSideEffects } from "./side-effects.ts";

/** What an import of a package's module leads to; a reason reads on from "the package …". */
export type PackageOutcome = { ok: true; id: string } | { ok: false; reason: string; hint: string };

/** The modules of packages that one bundle takes, found as it asks for them. */
export interface PackageModules {
  /** What a package offers under a subpath. */
  enter(from: InstalledPackage, subpath: string): PackageOutcome;
  /** What a module of a package means by a specifier. */
  resolve(specifier: string, importer: string): PackageOutcome;
  packageOf(id: string): InstalledPackage | undefined;
  /** The path of a module below the folder of its package. */
  pathOf(id: string): string;
  hasSideEffects(id: string): boolean;
  readonly files: ReadonlyMap<string, string>;
}

export function makePackageModules(): PackageModules {
  const labels = new Map<string, string>();
  const owners = new Map<string, InstalledPackage>();
  const files = new Map<string, string>();
  const find = makePackageFinder();

  function take(owner: InstalledPackage, path: string): PackageOutcome {
    const found = findPackageFile(owner, path);
    if (!found.ok) return { ok: false, ...FILE_REFUSALS[found.reason](quote(path)) };
    const label = labels.get(owner.folder) ?? chooseLabel(owner, labels);
    const id = toPackageModuleId(label, found.relativePath);
    owners.set(id, owner);
    files.set(id, found.file);
    return { ok: true, id };
  }

  function enter(owner: InstalledPackage, subpath: string): PackageOutcome {
    const path = resolveExport(owner.manifest, subpath);
    if (path !== undefined) return take(owner, path);
    const what = subpath === "." ? "has no module" : `does not export ${quote(subpath)}`;
    return { ok: false, reason: `${what} for "import" or "default"`, hint: OTHER_PACKAGE };
  }

  function resolveBare(specifier: string, owner: InstalledPackage): PackageOutcome {
    const shown = quote(specifier);
    const wanted = isBuiltin(specifier) ? undefined : parsePackageSpecifier(specifier);
    if (wanted === undefined) {
      const what = isBuiltin(specifier)
        ? "which is part of Node, and the sandbox has no Node API"
        : "which is not a package";
      return { ok: false, reason: `imports ${shown}, ${what}`, hint: OTHER_PACKAGE };
    }
    if (wanted.name === owner.name) return enter(owner, wanted.subpath);
    if (wanted.name.startsWith("@codemode/")) {
      return {
        ok: false,
        reason: `imports ${shown}, and only the script itself may import tools`,
        hint: OTHER_PACKAGE,
      };
    }
    if (!isDependency(wanted.name, owner.manifest)) {
      return { ok: false, reason: `imports ${shown}, which it does not declare as a dependency`, hint: OTHER_PACKAGE };
    }
    const dependency = find(wanted.name, owner.folder);
    if (dependency !== undefined) return enter(dependency, wanted.subpath);
    const hint = `Install it in the project, for instance with \`npm install ${wanted.name}\`.`;
    return { ok: false, reason: `imports ${shown}, which is not installed`, hint };
  }

  const pathOf = (id: string): string => toPackagePath(id, labels.get(owners.get(id)?.folder ?? "") ?? "");

  return {
    enter,
    resolve(specifier, importer) {
      const owner = owners.get(importer) as InstalledPackage;
      if (/^\.{1,2}(\/|$)/.test(specifier)) {
        return take(owner, posix.join(posix.dirname(pathOf(importer)), specifier));
      }
      if (!specifier.startsWith("#")) return resolveBare(specifier, owner);
      const target = resolveInnerName(owner.manifest, specifier);
      if (target === undefined) {
        return {
          ok: false,
          reason: `does not define ${quote(specifier)} for "import" or "default"`,
          hint: OTHER_PACKAGE,
        };
      }
      return target.startsWith("./") ? take(owner, target) : resolveBare(target, owner);
    },
    packageOf: (id) => owners.get(id),
    pathOf,
    hasSideEffects(id) {
      const owner = owners.get(id);
      return owner === undefined || hasSideEffects(owner.manifest, pathOf(id));
    },
    files,
  };
}

/** Looks for each name once in each folder. */
function makePackageFinder(): typeof findPackage {
  const known = new Map<string, InstalledPackage | undefined>();
  return (name, folder) => {
    const key = JSON.stringify([name, folder]);
    if (!known.has(key)) known.set(key, findPackage(name, folder));
    return known.get(key);
  };
}

/**
 * The name of a package in ids and source maps. It is the package's own, and of further ones with that name, which may have any
 * content, each gets another: no package can stand in for another one.
 */
function chooseLabel({ name, version, folder }: InstalledPackage, labels: Map<string, string>): string {
  const taken = new Set(labels.values());
  let label = name;
  for (let count = 1; taken.has(label); count += 1) label = `${name}@${version}${count === 1 ? "" : `~${count}`}`;
  labels.set(folder, label);
  return label;
}

/** The declared dependencies of a package; other packages installed near it are not its own. */
function isDependency(name: string, manifest: JsonObject): boolean {
  return ["dependencies", "optionalDependencies", "peerDependencies"].some((member) => {
    const names = ownValue(manifest, member);
    return isJsonObject(names) && ownValue(names, name) !== undefined;
  });
}

/** What to do about a package that the sandbox cannot run. */
export const OTHER_PACKAGE = "Use another package, or write the code that you need into the script.";

const FILE_REFUSALS: Record<
  "missing" | "outside" | "commonjs" | "not-javascript",
  (path: string) => { reason: string; hint: string }
> = {
  missing: (path) => ({ reason: `has no file ${path}`, hint: "Install it again, or use another version." }),
  outside: (path) => ({ reason: `leaves its own folder with ${path}`, hint: "Do not use this package." }),
  commonjs: (path) => ({
    reason: `is CommonJS in ${path}, and scripts take ES modules only`,
    hint: "Use a version or another package that has ES modules.",
  }),
  "not-javascript": (path) => ({ reason: `has ${path}, which is neither JavaScript nor JSON`, hint: OTHER_PACKAGE }),
};
