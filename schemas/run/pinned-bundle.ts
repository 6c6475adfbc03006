import { sortedJson } from "../json/canonical-json.ts";
import { asJson, isJsonObject, type JsonObject, toJsonObject } from "../json/json.ts";
import { withoutUndefined } from "../json/without-undefined.ts";
import { bundleInvalid } from "../errors.ts";
import { type Integrity, integrityOf } from "../lock/integrity.ts";
import type { Lockfile } from "../lock/lockfile.ts";
import type { Bundle } from "./bundle.ts";
import { parseBundleFile, toBundle } from "./bundle-file.ts";

const KIND = { name: "a pinned bundle", versionKey: "bundleVersion", version: 1, integrityOf };

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
    [KIND.versionKey]: KIND.version,
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
  const content = parseBundleFile(text, KIND, fail);
  const { name, madeBy, lockfileIntegrity: locked } = content;
  const bundle = toBundle(content);
  if (typeof name !== "string" || typeof locked !== "string" || bundle === undefined || !isJsonObject(madeBy))
    throw fail("a part of it is missing or of the wrong kind");
  const programs = Object.entries(madeBy).map(([program, version]) => [program, String(version)] as const);
  return { name, bundle, lockfileIntegrity: locked as Integrity, madeBy: new Map(programs) };
}
