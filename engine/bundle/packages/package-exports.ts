import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";

/** The sandbox is neither Node nor a browser. */
const CONDITIONS: ReadonlySet<string> = new Set(["import", "default"]);

/** How deep conditions may be nested; the file is the package author's. */
const MAX_DEPTH = 10;

/**
 * The path below its folder that a package offers as `subpath`, undefined where it offers none: the algorithm
 * PACKAGE_EXPORTS_RESOLVE of Node's documentation of ES modules. Without `exports`, the members `module` and `main` are read.
 */
export function resolveExport(manifest: JsonObject, subpath: string): string | undefined {
  const written = ownValue(manifest, "exports");
  if (written === undefined || written === null) return subpath === "." ? mainFile(manifest) : subpath;
  const offered = isJsonObject(written) && hasSubpaths(written) ? written : { ".": written };
  const target = findTarget(offered, subpath);
  return target?.startsWith("./") === true ? target : undefined;
}

/** What a specifier such as `#name` means inside a package: a path that starts with `./`, or the specifier of another package. */
export function resolveInnerName(manifest: JsonObject, specifier: string): string | undefined {
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
