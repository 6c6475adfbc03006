import { withoutMark } from "../text/without-mark.ts";
import { withoutUndefined } from "../json/without-undefined.ts";
import { byCodeUnits } from "../json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, parseJsonObject } from "../json/json.ts";
import type { Integrity } from "../lock/integrity.ts";
import type { Bundle, BundledPackage, ManifestTool, SourceMap } from "./bundle.ts";

/** A kind of file that holds a bundle, with a version and an integrity of its own. */
export interface BundleFileKind {
  /** For errors, with its article. */
  name: string;
  versionKey: string;
  version: number;
  integrityOf(content: JsonObject): Integrity;
}

/**
 * Reads the text of such a file: its content without the integrity. Throws where a byte of it has been changed, or it is none. The author of a
 * file can also compute its integrity, so that every part has to be validated anyway.
 * @param fail makes the error; without a hint it has the hint of the kind
 */
export function parseBundleFile(
  text: string,
  { name, versionKey, version: known, integrityOf }: BundleFileKind,
  fail: (problem: string, hint?: string) => Error,
): JsonObject {
  const content = parseJsonObject(withoutMark(text));
  if (content === undefined) throw fail("it is not a JSON object");
  const version = ownValue(content, versionKey);
  if (typeof version === "number" && version > known)
    throw fail(`version ${version} is newer than this codemode reads (${known})`, "Update codemode.");
  if (version !== known) throw fail(`it is not ${name}: "${versionKey}" is missing or unknown`);
  const { integrity, ...rest } = content;
  if (unlessTooDeep(() => integrityOf(rest), fail) !== integrity)
    throw fail("its integrity does not match its content: it was changed or damaged");
  return rest;
}

/** The bundle in the members of a file; undefined where a part is missing or of the wrong kind. */
export function toBundle(value: unknown): Bundle | undefined {
  if (!isJsonObject(value)) return undefined;
  const { code, map, manifest } = value;
  const tools = isJsonObject(manifest) ? toManifestTools(ownValue(manifest, "tools")) : undefined;
  const packages = toPackages(ownValue(value, "packages") ?? []);
  if (typeof code !== "string" || !isSourceMap(map) || tools === undefined || packages === undefined) return undefined;
  const parts = { input: ownValue(value, "input"), packages: packages.length === 0 ? undefined : packages };
  return { code, map, manifest: { tools }, ...withoutUndefined(parts) };
}

const TOOL_KEYS = ["serverId", "toolName", "exportName", "integrity"] as const;

/** Undefined where the value is no list of a manifest's tools. */
export function toManifestTools(value: JsonValue | undefined): ManifestTool[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const tools = value.filter((tool): tool is JsonValue & ManifestTool => {
    return isJsonObject(tool) && TOOL_KEYS.every((key) => typeof ownValue(tool, key) === "string");
  });
  if (tools.length !== value.length) return undefined;
  const listed = tools.map(({ serverId, toolName, exportName, integrity }) => ({
    ...{ serverId, toolName, exportName, integrity },
  }));
  return listed.toSorted(
    (left, right) => byCodeUnits(left.serverId, right.serverId) || byCodeUnits(left.toolName, right.toolName),
  );
}

function toPackages(value: JsonValue): BundledPackage[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const packages = value.flatMap((item) => {
    const [name, version] = isJsonObject(item) ? [ownValue(item, "name"), ownValue(item, "version")] : [];
    return typeof name === "string" && typeof version === "string" ? [{ name, version }] : [];
  });
  return packages.length === value.length ? packages : undefined;
}

export function isSourceMap(value: unknown): value is SourceMap {
  if (!isJsonObject(value) || value["version"] !== 3 || typeof value["mappings"] !== "string") return false;
  const { names, sources, sourcesContent = [] } = value;
  const isText = (item: unknown): boolean => typeof item === "string";
  const isTextOrNull = (item: unknown): boolean => item === null || isText(item);
  return (
    Array.isArray(names) &&
    names.every(isText) &&
    Array.isArray(sources) &&
    sources.every(isText) &&
    Array.isArray(sourcesContent) &&
    sourcesContent.every(isTextOrNull)
  );
}

/** Walks a value of a stranger's making; where it is nested so deeply that the stack ends, that is the file's fault. */
export function unlessTooDeep<Value>(walk: () => Value, fail: (problem: string) => Error): Value {
  try {
    return walk();
  } catch (error) {
    throw error instanceof RangeError ? fail("it is nested too deeply") : error;
  }
}
