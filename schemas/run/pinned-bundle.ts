import { withoutUndefined } from "../json/without-undefined.ts";
import type { Bundle, BundledPackage, ManifestTool, SourceMap } from "./bundle.ts";
import { byCodeUnits, sortedJson } from "../json/canonical-json.ts";
import { bundleInvalid } from "../errors.ts";
import { type Integrity, integrityOf } from "../lock/integrity.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parseJsonObject,
  toJsonObject,
  asJson,
} from "../json/json.ts";
import type { Lockfile } from "../lock/lockfile.ts";
import { unlessTooDeep } from "../json/unless-too-deep.ts";

const PINNED_BUNDLE_VERSION = 1;

/** A bundle as a file: the same script, lockfile and versions give the same bytes on every machine. */
export interface PinnedBundle {
  /** Of the script, without its folder. */
  name: string;
  bundle: Bundle;
  /** Of the lockfile that it was bundled under. */
  lockfileIntegrity: Integrity;
  /** Names and versions of the programs that had a hand in its bytes. */
  madeBy: ReadonlyMap<string, string>;
}

/** The integrity of a whole lockfile: over those of its servers. */
export function lockfileIntegrity({ servers }: Lockfile): Integrity {
  return integrityOf(toJsonObject([...servers.values()].map(({ id, integrity }) => [id, integrity])));
}

/** The text of a pinned bundle, its own integrity included. */
export function formatPinnedBundle({ name, bundle, lockfileIntegrity: locked, madeBy }: PinnedBundle): string {
  const content: JsonObject = {
    bundleVersion: PINNED_BUNDLE_VERSION,
    name,
    lockfileIntegrity: locked,
    madeBy: toJsonObject(madeBy),
    manifest: asJson(bundle.manifest),
    code: bundle.code,
    map: asJson(bundle.map),
    ...withoutUndefined({
      input: bundle.input,
      packages: bundle.packages && asJson(bundle.packages),
    }),
  };
  return sortedJson({ ...content, integrity: integrityOf(content) });
}

/** Reads a pinned bundle. Throws where a byte of it has been changed, or it is none. `file` is for the error's line. */
export function parsePinnedBundle(text: string, file: string): PinnedBundle {
  const fail = (problem: string): Error => bundleInvalid(file, problem);
  const content = parseJsonObject(text);
  if (content === undefined) throw fail("it is not a JSON object");
  const version = ownValue(content, "bundleVersion");
  if (version !== PINNED_BUNDLE_VERSION) {
    throw typeof version === "number" && version > PINNED_BUNDLE_VERSION
      ? fail(`version ${version} is newer than this codemode reads (${PINNED_BUNDLE_VERSION})`)
      : fail('it is not a pinned bundle: "bundleVersion" is missing or unknown');
  }
  const { integrity, ...rest } = content;
  if (unlessTooDeep(() => integrityOf(rest), fail) !== integrity)
    throw fail("its integrity does not match its content: it was changed or damaged");
  const pinned = toPinnedBundle(rest);
  if (pinned === undefined) throw fail("a part of it is missing or of the wrong kind");
  return pinned;
}

/** The author of a file can also compute its integrity, so every part is validated anyway. */
function toPinnedBundle(content: JsonObject): PinnedBundle | undefined {
  const { name, code, map, manifest, madeBy, lockfileIntegrity: locked } = content;
  const tools = isJsonObject(manifest) ? toManifestTools(ownValue(manifest, "tools")) : undefined;
  if (typeof name !== "string" || typeof code !== "string" || typeof locked !== "string") return undefined;
  if (tools === undefined || !isSourceMap(map) || !isJsonObject(madeBy)) return undefined;
  const input = ownValue(content, "input");
  const packages = toPackages(ownValue(content, "packages") ?? []);
  if (packages === undefined) return undefined;
  return {
    name,
    lockfileIntegrity: locked as Integrity,
    madeBy: new Map(Object.entries(madeBy).map(([program, version]) => [program, String(version)])),
    bundle: {
      code,
      map,
      manifest: { tools },
      ...withoutUndefined({ input, packages: packages.length === 0 ? undefined : packages }),
    },
  };
}

const TOOL_KEYS = ["serverId", "toolName", "exportName", "integrity"] as const;

/** Undefined where the value is no list of a manifest's tools. */
export function toManifestTools(value: JsonValue | undefined): ManifestTool[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const tools = value.filter((tool): tool is JsonValue & ManifestTool => {
    return isJsonObject(tool) && TOOL_KEYS.every((key) => typeof ownValue(tool, key) === "string");
  });
  if (tools.length !== value.length) return undefined;
  return tools.toSorted(
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
