import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Config } from "../../../schemas/config/config.ts";
import { type JsonObject, toJsonObject } from "../../../schemas/json/json.ts";
import { GENERATOR_VERSION } from "../../../templates/generated-package.ts";
import { VERSION } from "../../../schemas/version.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";
import { projectCachePath } from "../project-places.ts";

/** What was emitted for one server, so that reading tells whether anything has to be emitted again. */
export interface EmittedServer {
  /** What the server was emitted from. */
  source: string;
  /** What each tool was emitted from, by the tool's file. */
  tools: ReadonlyMap<string, string>;
  /** The digest of each file, by its path in the package. */
  digests: ReadonlyMap<string, string>;
  /** What the file system said of each file that was found to have its digest, by the same path; see `findIntact`. */
  stamps: ReadonlyMap<string, string>;
}

/** The same in the file. */
type Stored = Record<Exclude<keyof EmittedServer, "source">, JsonObject> & { source: string };

/** By server id. */
export type EmissionRecord = ReadonlyMap<string, EmittedServer>;

/**
 * The record is in this machine's caches, outside of the package: a change of generated files in a repository could include a record beside
 * them, and no edit would be found.
 */
function recordPath(config: Config): string | undefined {
  return projectCachePath(config.folder, "emitted.json");
}

/** Records of another version count for nothing: the same lockfile may give other files now. */
const RECORD_VERSION = `${VERSION} ${GENERATOR_VERSION}`;

/** Reads the record; without one, or with a broken one, everything is emitted. */
export async function readEmissionRecord(config: Config): Promise<EmissionRecord> {
  try {
    const path = recordPath(config);
    return parseEmissionRecord(path === undefined ? undefined : await readTextIfPresent(path));
  } catch {
    return new Map();
  }
}

/** Keeps the record for the next time. It only saves work, so that a folder that cannot be written is no error. */
export async function writeEmissionRecord(config: Config, record: EmissionRecord): Promise<void> {
  const path = recordPath(config);
  if (path === undefined) return;
  const text = formatEmissionRecord(record);
  await writeAtomically(path, text, { project: config.folder, isFlushed: false }).catch(() => undefined);
}

export function formatEmissionRecord(record: EmissionRecord): string {
  const servers = [...record].map(([id, { source, tools, digests, stamps }]) => {
    const maps = { tools: toJsonObject(tools), digests: toJsonObject(digests), stamps: toJsonObject(stamps) };
    return [id, { source, ...maps }] as const;
  });
  return JSON.stringify({ version: RECORD_VERSION, servers: toJsonObject(servers) });
}

/** Empty for no text, a broken one, and one of another version. */
export function parseEmissionRecord(text = "{}"): EmissionRecord {
  try {
    const { version, servers } = JSON.parse(text) as { version?: unknown; servers: Record<string, Stored> };
    if (version !== RECORD_VERSION) return new Map();
    return new Map(
      Object.entries(servers).map(([id, { source, tools, digests, stamps }]) => {
        return [id, { source, tools: toTexts(tools), digests: toTexts(digests), stamps: toTexts(stamps) }];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Makes the next `generate` emit everything again. */
export async function forgetEmissionRecord(config: Config): Promise<void> {
  const path = recordPath(config);
  if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
}

/** The digest of a file's content. */
export function digestOf(content: string | Buffer): string {
  return hash("sha256", content, "base64");
}

/** A value that is no text equals none. */
function toTexts(object: JsonObject): Map<string, string> {
  return new Map(Object.entries(object) as [string, string][]);
}
