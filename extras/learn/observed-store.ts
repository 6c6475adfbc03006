import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { stateFolder, stateName } from "@codemode/runtime/state-folder";
import { unlessMissing } from "../../runtime/files/expected-errors.ts";
import { makePrivateFolder, writePrivately } from "../../runtime/files/private-files.ts";
import { readStateFile, unlessNotReadable } from "../../runtime/files/state-file.ts";
import { byCodeUnits, sortedJson } from "../../schemas/json/canonical-json.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonObject,
  toJsonObject,
} from "../../schemas/json/json.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import { type IsChosen, joinObservations, type Observations, onlyChosen } from "../../schemas/observed/learn-into.ts";
import { formatObserved, type ObservedResults, parseObserved } from "../../schemas/observed/observed-results.ts";

/** What runs of a project have observed and `codemode learn` has not taken yet: files of this account, with shapes alone. */
const VERSION = 1;

/** With more files, they are joined into one: to join twice changes nothing. */
const MOST_FILES = 16;
/** A longer file is none of ours. In bytes. */
const LARGEST_FILE = 16 * 1024 * 1024;

/** An id for a series of runs; it is a source of what they observe. */
export function newSourceId(): string {
  return randomBytes(12).toString("base64url");
}

/** Writes all that a series of runs has observed so far. */
export async function writeObservations(
  project: string,
  source: string,
  observations: Observations,
  lockfile: Lockfile,
): Promise<void> {
  const folder = storeFolder(project);
  await makePrivateFolder(folder, stateFolder());
  await writePrivately(join(folder, `${source}.json`), print(observations, lockfile));
  const files = await listFiles(folder);
  if (files.length > MOST_FILES) {
    await replaceFiles(folder, files, await readStoredFiles(folder, files, lockfile), lockfile);
  }
}

/** Whether a series of runs still has its file. It has not once its shapes were learned or forgotten. */
export async function hasObservations(project: string, source: string): Promise<boolean> {
  return (await listFiles(storeFolder(project))).includes(`${source}.json`);
}

/** What runs have observed of tools as the lockfile has them, and what removes some tools' once it is learned. */
export async function readObservations(
  project: string,
  lockfile: Lockfile,
): Promise<{ observations: Observations; drop(isDropped: IsChosen): Promise<void> }> {
  const folder = storeFolder(project);
  const files = await listFiles(folder);
  const observations = await readStoredFiles(folder, files, lockfile);
  const drop = async (isDropped: IsChosen): Promise<void> => {
    await replaceFiles(
      folder,
      files,
      onlyChosen(observations, (...tool) => !isDropped(...tool)),
      lockfile,
    );
  };
  return { observations, drop };
}

function storeFolder(project: string): string {
  return join(stateFolder(), "observed", stateName(project));
}

async function listFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  return names.filter((name) => /^[\w-]{16}\.json$/.test(name)).toSorted(byCodeUnits);
}

/** Under a new name: a run that is still writing does not write again what was taken from its file. */
async function replaceFiles(
  folder: string,
  files: readonly string[],
  observations: Observations,
  lockfile: Lockfile,
): Promise<void> {
  if (observations.size > 0) {
    await writePrivately(join(folder, `${newSourceId()}.json`), print(observations, lockfile));
  }
  await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
}

async function readStoredFiles(folder: string, files: readonly string[], lockfile: Lockfile): Promise<Observations> {
  const read = await Promise.all(files.map((file) => readStored(join(folder, file), lockfile)));
  return read.reduce(joinObservations, new Map());
}

function print(observations: Observations, lockfile: Lockfile): string {
  const servers = [...observations].map(([id, tools]) => {
    const entries = [...tools].map(([name, observed]) => {
      const integrity = findTool(lockfile, id, name)?.integrity ?? "";
      return [name, { integrity, observed: formatObserved(observed) }] as const;
    });
    return [id, toJsonObject(entries)] as const;
  });
  return sortedJson({ version: VERSION, servers: toJsonObject(servers) });
}

/** A file that is broken, or of a tool that has changed since, holds nothing: it can be observed again. */
async function readStored(file: string, lockfile: Lockfile): Promise<Observations> {
  // One that could not be read is an error: what it holds would be lost where files are replaced.
  const bytes = await readStateFile(file, LARGEST_FILE).catch(unlessNotReadable);
  const content = bytes && parseJsonObject(bytes.toString());
  const { version, servers } = content ?? {};
  if (version !== VERSION || !isJsonObject(servers)) return new Map();
  return new Map(
    Object.entries(servers).map(([id, tools]) => [
      id,
      isJsonObject(tools) ? readTools(id, tools, lockfile) : new Map(),
    ]),
  );
}

function readTools(serverId: string, tools: JsonObject, lockfile: Lockfile): ReadonlyMap<string, ObservedResults> {
  return new Map(
    Object.entries(tools).flatMap(([name, entry]) => {
      const { integrity, observed } = isJsonObject(entry) ? entry : {};
      const isCurrent = integrity === findTool(lockfile, serverId, name)?.integrity;
      const read = isCurrent && observed !== undefined ? tryToParse(observed) : undefined;
      return read === undefined ? [] : [[name, read] as const];
    }),
  );
}

function tryToParse(observed: JsonValue): ObservedResults | undefined {
  try {
    return parseObserved(observed, (problem) => new Error(problem));
  } catch {
    return undefined;
  }
}

function findTool(lockfile: Lockfile, serverId: string, toolName: string): LockedTool | undefined {
  return findOperation(lockfile.servers.get(serverId), toolName);
}
