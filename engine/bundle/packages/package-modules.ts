import type { OutputChunk } from "rollup";
import type { BundledPackage } from "../../../schemas/run/bundle.ts";
import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { toPackageModuleId, toPackagePath } from "../modules/module-ids.ts";
import { quote } from "../modules/import-problem.ts";
import { findPackage, type InstalledPackage, parsePackageSpecifier } from "./find-package.ts";
import { findInside, type FoundFile } from "../modules/source-files.ts";
import { matchesAny } from "../../../schemas/access/glob.ts";

/** What an import of a package's module leads to; a reason reads on from "the package …". */
export type PackageOutcome = { ok: true; id: string } | { ok: false; reason: string; hint: string };

export type PackageModules = ReturnType<typeof makePackageModules>;

/** The modules of packages that one bundle takes, found as it asks for them. */
export function makePackageModules() {
  const labels = new Map<string, string>();
  const owners = new Map<string, InstalledPackage>();
  const files = new Map<string, string>();
  const find = makePackageFinder();

  function take(owner: InstalledPackage, path: string): PackageOutcome {
    const found = findPackageFile(owner, path);
    if (!found.ok) {
      const refusal = FILE_REFUSALS[found.reason](quote(path));
      return found.reason === "unreadable"
        ? unusable(`${refusal[0]} (${found.problem})`, refusal[1])
        : unusable(...refusal);
    }
    const label = labels.get(owner.folder) ?? chooseLabel(owner, labels);
    const id = toPackageModuleId(label, found.relativePath);
    owners.set(id, owner);
    files.set(id, found.file);
    return { ok: true, id };
  }

  /** What a package offers under a subpath. */
  function enter(owner: InstalledPackage, subpath: string): PackageOutcome {
    const path = resolveExport(owner.manifest, subpath);
    if (path !== undefined) return take(owner, path);
    const what = subpath === "." ? "has no module" : `does not export ${quote(subpath)}`;
    return unusable(`${what} for "import" or "default"`);
  }

  function resolveBare(specifier: string, owner: InstalledPackage): PackageOutcome {
    const shown = quote(specifier);
    const wanted = isBuiltin(specifier) ? undefined : parsePackageSpecifier(specifier);
    if (wanted === undefined) {
      const what = isBuiltin(specifier)
        ? "which is part of Node, and the sandbox has no Node API"
        : "which is not a package";
      return unusable(`imports ${shown}, ${what}`);
    }
    if (wanted.name === owner.name) return enter(owner, wanted.subpath);
    if (wanted.name.startsWith("@codemode/"))
      return unusable(`imports ${shown}, and only the script itself may import tools`);
    if (!isDependency(wanted.name, owner.manifest))
      return unusable(`imports ${shown}, which it does not declare as a dependency`);
    const dependency = find(wanted.name, owner.folder);
    if (dependency !== undefined) return enter(dependency, wanted.subpath);
    const hint = `Install it in the project, for instance with \`npm install ${wanted.name}\`.`;
    return unusable(`imports ${shown}, which is not installed`, hint);
  }

  /** The path of a module below the folder of its package. */
  const pathOf = (id: string): string => toPackagePath(id, labels.get(owners.get(id)?.folder ?? "") ?? "");

  return {
    enter,
    /** What a module of a package means by a specifier. */
    resolve(specifier: string, importer: string): PackageOutcome {
      const owner = owners.get(importer) as InstalledPackage;
      if (/^\.{1,2}(\/|$)/.test(specifier)) {
        return take(owner, posix.join(posix.dirname(pathOf(importer)), specifier));
      }
      if (!specifier.startsWith("#")) return resolveBare(specifier, owner);
      const target = resolveInnerName(owner.manifest, specifier);
      if (target === undefined) return unusable(`does not define ${quote(specifier)} for "import" or "default"`);
      return target.startsWith("./") ? take(owner, target) : resolveBare(target, owner);
    },
    packageOf: (id: string) => owners.get(id),
    pathOf,
    hasSideEffects(id: string): boolean {
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
const OTHER_PACKAGE = "Use another package, or write the code that you need into the script.";

/** Why a package cannot be used. The reason reads on from "the package …". */
export function unusable(reason: string, hint = OTHER_PACKAGE): { ok: false; reason: string; hint: string } {
  return { ok: false, reason, hint };
}

/** @param path as it is shown */
export function describeCommonJs(path: string): [reason: string, hint: string] {
  return [
    `is CommonJS in ${path}, and scripts take ES modules only`,
    "Use a version or another package that has ES modules.",
  ];
}

const FILE_REFUSALS: Record<
  (PackageFile & { ok: false })["reason"],
  (path: string) => [reason: string, hint?: string]
> = {
  missing: (path) => [`has no file ${path}`, "Install it again, or use another version."],
  unreadable: (path) => [`has the file ${path}, which cannot be read`, "Check the file and its permissions."],
  outside: (path) => [`leaves its own folder with ${path}`, "Do not use this package."],
  commonjs: describeCommonJs,
  "not-javascript": (path) => [`has ${path}, which is neither JavaScript nor JSON`],
};

const MODULE_ENDINGS: ReadonlySet<string> = new Set([".js", ".mjs", ".json"]);

/** Packages made for bundlers only leave endings out. */
const LEFT_OUT = ["", ".js", ".mjs", "/index.js", "/index.mjs"];

/** A module of a package, or why there is none: also a file that is no ES module by its name. */
type PackageFile = FoundFile | { ok: false; reason: "commonjs" | "not-javascript" };

/** Finds a module below the real folder of a package; links that lead out of it are not followed. */
function findPackageFile({ folder }: InstalledPackage, path: string): PackageFile {
  let refusal: PackageFile = { ok: false, reason: "missing" };
  for (const ending of LEFT_OUT) {
    const found = findInside(folder, path + ending);
    if (found.ok) return evaluateEnding(found);
    if (found.reason !== "missing") refusal = found;
  }
  return refusal;
}

function evaluateEnding(found: FoundFile & { ok: true }): PackageFile {
  const ending = posix.extname(found.relativePath);
  if (MODULE_ENDINGS.has(ending)) return found;
  return { ok: false, reason: ending === ".cjs" ? "commonjs" : "not-javascript" };
}

/** The sandbox is neither Node nor a browser. */
const CONDITIONS: ReadonlySet<string> = new Set(["import", "default"]);

/** How deep conditions may be nested; the file is the package author's. */
const MAX_DEPTH = 10;

/**
 * The path below its folder that a package offers as `subpath`, undefined where it offers none: the algorithm
 * PACKAGE_EXPORTS_RESOLVE of Node's documentation of ES modules. Without `exports`, the members `module` and `main` are read.
 */
function resolveExport(manifest: JsonObject, subpath: string): string | undefined {
  const written = ownValue(manifest, "exports");
  if (written === undefined || written === null) return subpath === "." ? mainFile(manifest) : subpath;
  const offered = isJsonObject(written) && hasSubpaths(written) ? written : { ".": written };
  const target = findTarget(offered, subpath);
  return target?.startsWith("./") === true ? target : undefined;
}

/** What a specifier such as `#name` means inside a package: a path that starts with `./`, or the specifier of another package. */
function resolveInnerName(manifest: JsonObject, specifier: string): string | undefined {
  const imports = ownValue(manifest, "imports");
  return isJsonObject(imports) ? findTarget(imports, specifier) : undefined;
}

function mainFile(manifest: JsonObject): string {
  const [main] = [ownValue(manifest, "module"), ownValue(manifest, "main")].filter((one) => typeof one === "string");
  return main ?? "./index.js";
}

function hasSubpaths(exports: JsonObject): boolean {
  return Object.keys(exports).some((key) => key.startsWith("."));
}

function findTarget(entries: JsonObject, wanted: string): string | undefined {
  const exact = wanted.includes("*") ? undefined : ownValue(entries, wanted);
  if (exact !== undefined) return pickTarget(exact, "") ?? undefined;
  const [pattern] = Object.keys(entries)
    .filter((key) => fillingOf(key, wanted) !== undefined)
    .toSorted((left, right) => right.indexOf("*") - left.indexOf("*") || right.length - left.length);
  if (pattern === undefined) return undefined;
  return pickTarget(ownValue(entries, pattern) ?? null, fillingOf(pattern, wanted) ?? "") ?? undefined;
}

/** What the star of a pattern stands for; undefined where the pattern does not fit. */
function fillingOf(pattern: string, wanted: string): string | undefined {
  const [before, after, more] = pattern.split("*");
  if (before === undefined || after === undefined || more !== undefined) return undefined;
  const fits = wanted.startsWith(before) && wanted.endsWith(after) && wanted.length > before.length + after.length;
  return fits ? wanted.slice(before.length, wanted.length - after.length) : undefined;
}

/** `null` says that something is not offered; undefined that the next condition may be tried. */
function pickTarget(target: JsonValue, filling: string, depth = 0): string | null | undefined {
  if (target === null || depth > MAX_DEPTH) return null;
  if (typeof target === "string") return toInnerTarget(target.replaceAll("*", () => filling));
  const choices = Array.isArray(target) ? target : isJsonObject(target) ? matchingValues(target) : [];
  for (const choice of choices) {
    const picked = pickTarget(choice, filling, depth + 1);
    if (picked !== undefined && !(picked === null && Array.isArray(target))) return picked;
  }
  return undefined;
}

function matchingValues(target: JsonObject): JsonValue[] {
  return Object.entries(target).flatMap(([condition, value]) => (CONDITIONS.has(condition) ? [value] : []));
}

function toInnerTarget(target: string): string | null {
  const leaves = target.split(/[/\\]/).some((step) => step === ".." || step === "node_modules");
  return leaves ? null : target;
}

/** More stars than any real pattern has; matching takes time that grows with their number. */
const MAX_STARS = 4;

/**
 * True unless `sideEffects` of a `package.json` says that a module which nothing is used of may be left out. `path` is below the
 * package's folder. Patterns match a little more than other bundlers': a module too many is kept, never one too few.
 */
function hasSideEffects(manifest: JsonObject, path: string): boolean {
  const declared = ownValue(manifest, "sideEffects");
  if (declared === false) return false;
  if (!Array.isArray(declared)) return true;
  return declared.some((pattern) => {
    if (typeof pattern !== "string" || pattern.split("*").length > MAX_STARS + 1) return true;
    const bare = pattern.replace(/^\.?\//, "");
    return matchesAny(path, [bare, `*/${bare}`, bare.replace(/^\*\*\//, "")]);
  });
}

/** Lists the packages that any code is left of, their own dependencies among them. */
export function collectPackages({ modules }: OutputChunk, { packageOf }: PackageModules): BundledPackage[] {
  const taken = Object.entries(modules).flatMap(([id, { renderedLength }]) => {
    const owner = renderedLength > 0 ? packageOf(id) : undefined;
    return owner === undefined ? [] : [[owner.folder, { name: owner.name, version: owner.version }] as const];
  });
  return [...new Map(taken).values()].toSorted(
    (left, right) => byCodeUnits(left.name, right.name) || byCodeUnits(left.version, right.version),
  );
}
