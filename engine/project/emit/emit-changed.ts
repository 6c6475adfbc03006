import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readProvingStamp } from "../../../runtime/files/file-stamp.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { type JsonObject, toJsonObject } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { countParts, type OnProgress } from "../../../schemas/progress.ts";
import { VERSION } from "../../../schemas/version.ts";
import { GENERATOR_VERSION, type GeneratedFile } from "../../../templates/generated-package.ts";
import { indexSource, serverSource, toolSource } from "../../../templates/server-plan.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";
import { CACHE_MODE, projectCachePath } from "../project-places.ts";

/** What a folder should hold. */
export interface Emission {
  /** Emitted now; they may still equal what is there. */
  files: GeneratedFile[];
  /** Paths of files that are there already, as they should be. */
  kept: string[];
  /** What is known of the servers from now on. */
  record: EmissionRecord;
}

/**
 * Emits the servers, but for what the folder holds already: a tool is emitted again where its lock entry changed, or where
 * one of its files was edited or is missing. An empty record makes it emit everything.
 */
export async function emitChanged(
  folder: string,
  servers: readonly LockedServer[],
  record: EmissionRecord,
  onProgress: OnProgress = () => undefined,
): Promise<Emission> {
  const known = toJobs(folder, servers, record);
  const outdated = known.filter((job) => !isIntact(job));
  const finish = countParts(
    outdated.map(({ server }) => server.id),
    onProgress,
  );
  const parts = await emitParts(outdated, finish);
  return toEmission(known, new Map(outdated.map((job, index) => [job, parts[index] as EmissionPart])));
}

/** What `emitChanged` gives where nothing has to be emitted; undefined where something has. It needs no compiler, and so no process. */
export function findEmitted(
  folder: string,
  servers: readonly LockedServer[],
  record: EmissionRecord,
): Emission | undefined {
  const known = toJobs(folder, servers, record);
  return known.every(isIntact) ? toEmission(known, new Map()) : undefined;
}

/** @param parts of the servers that were emitted; of all others the files are there already */
function toEmission(jobs: readonly EmissionJob[], parts: ReadonlyMap<EmissionJob, EmissionPart>): Emission {
  return {
    files: [...parts.values()].flatMap(({ files }) => files),
    kept: jobs.flatMap((job) => parts.get(job)?.kept ?? [...job.intact]),
    record: new Map(jobs.map((job) => [job.server.id, parts.get(job)?.emitted ?? (job.known as EmittedServer)])),
  };
}

function toJobs(folder: string, servers: readonly LockedServer[], record: EmissionRecord): EmissionJob[] {
  return servers.map((server) => toJob(folder, server, record.get(server.id)));
}

/** What is known of the server is the same object where nothing was learned of its files. */
function toJob(folder: string, server: LockedServer, emitted: EmittedServer | undefined): EmissionJob {
  if (emitted === undefined) return { server, known: undefined, intact: new Set() };
  const { paths, stamps } = findIntact(folder, emitted);
  const isSame =
    stamps.size === emitted.stamps.size && [...stamps].every(([path, stamp]) => emitted.stamps.get(path) === stamp);
  return { server, known: isSame ? emitted : { ...emitted, stamps }, intact: paths };
}

function isIntact({ server, known, intact }: EmissionJob): boolean {
  return known?.source === serverSource(server) && intact.size === known.digests.size;
}

/**
 * Emits servers one after the other: the printers of all at once would fill the memory. The parts are in the order of the jobs.
 * @param onEmitted called for each emitted server
 */
async function emitParts(jobs: readonly EmissionJob[], onEmitted: (serverId: string) => void): Promise<EmissionPart[]> {
  const parts: EmissionPart[] = [];
  for (const job of jobs) {
    parts.push(await emitPart(job));
    onEmitted(job.server.id);
  }
  return parts;
}

/** What is left of a server's files. */
interface IntactFiles {
  /** Their paths in the package. */
  paths: ReadonlySet<string>;
  /** By path: the stamps under which they need not be read again. */
  stamps: ReadonlyMap<string, string>;
}

/**
 * The files that hold what was emitted. One whose stamp is known is not read: the kernel sets a new time on each change, and no program can
 * set that time. Thousands of small files are looked at several times faster one by one.
 */
export function findIntact(folder: string, { digests, stamps }: EmittedServer): IntactFiles {
  const paths = new Set<string>();
  const seen = new Map<string, string>();
  for (const [path, digest] of digests) {
    const file = join(folder, path);
    // The stamp comes before the content: a change between the two gives another one.
    const stamp = readProvingStamp(file);
    const isKnown = stamp !== undefined && stamp === stamps.get(path);
    if (!isKnown && readDigest(file) !== digest) continue;
    paths.add(path);
    if (stamp !== undefined) seen.set(path, stamp);
  }
  return { paths, stamps: seen };
}

function readDigest(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** A server to emit again, and its existing files. */
export interface EmissionJob {
  server: LockedServer;
  /** The last emission; undefined if unknown. */
  known: EmittedServer | undefined;
  /** The paths of known files that are there as they were emitted. */
  intact: ReadonlySet<string>;
}

/** What one server adds to an emission. */
export interface EmissionPart {
  files: GeneratedFile[];
  kept: string[];
  emitted: EmittedServer;
}

/** Emits one server. What it says of itself is always made; a module only where it is not there already. */
export async function emitPart({ server, known, intact }: EmissionJob): Promise<EmissionPart> {
  const [{ planServer }, { emitServerIndex, emitServerMeta, emitTools }] = await Promise.all([
    import("../../../templates/plan.ts"),
    import("../../../templates/emit.ts"),
  ]);
  const plan = planServer(server);
  const sources = new Map([
    [INDEX, digestOf(indexSource(plan))],
    ...plan.tools.map((tool) => [tool.file, toolSource(tool)] as const),
  ]);
  const knownPaths = known === undefined ? new Map<string, string[]>() : groupByModule([...known.digests.keys()]);
  const keptOf = ([module, source]: readonly [string, string]): readonly [string, readonly string[]] => {
    const paths = known?.modules.get(module) === source ? (knownPaths.get(`${server.id}/${module}`) ?? []) : [];
    return [module, paths.every((path) => intact.has(path)) ? paths : []];
  };
  const keptByModule = new Map([...sources].map(keptOf));
  const isChanged = (module: string): boolean => keptByModule.get(module)?.length === 0;
  const files = [
    ...(isChanged(INDEX) ? emitServerIndex(plan) : []),
    ...emitServerMeta(plan),
    ...(await emitTools(plan.tools.filter(({ file }) => isChanged(file)))),
  ];
  const kept = [...keptByModule.values()].flat();
  const keptPaths = new Set(kept);
  return {
    files,
    kept,
    emitted: {
      source: serverSource(server),
      modules: sources,
      digests: new Map([
        ...kept.map((path) => [path, known?.digests.get(path) ?? ""] as const),
        ...files.map(({ path, text }) => [path, digestOf(text)] as const),
      ]),
      stamps: new Map([...(known?.stamps ?? [])].filter(([path]) => keptPaths.has(path))),
    },
  };
}

/** The module of a server, which exports its tools. */
const INDEX = "index";

/** Paths by what is in front of their first dot: neither ids nor the names of files have one. */
function groupByModule(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const module = path.slice(0, path.indexOf("."));
    groups.set(module, [...(groups.get(module) ?? []), path]);
  }
  return groups;
}

/** What was emitted for one server, so that reading tells whether anything has to be emitted again. */
export interface EmittedServer {
  /** What the server was emitted from. */
  source: string;
  /** What each module was emitted from, by its file: `index`, and one for each tool. */
  modules: ReadonlyMap<string, string>;
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
    return parseEmissionRecord(path === undefined ? undefined : await readTextIfPresent(path, "lock"));
  } catch {
    return new Map();
  }
}

/** Keeps the record for the next time. It only saves work, so that a folder that cannot be written is no error. */
export async function writeEmissionRecord(config: Config, record: EmissionRecord): Promise<void> {
  const path = recordPath(config);
  if (path === undefined) return;
  const text = formatEmissionRecord(record);
  const writing = { project: config.folder, folderMode: CACHE_MODE, isFlushed: false };
  await writeAtomically(path, text, writing).catch(() => undefined);
}

export function formatEmissionRecord(record: EmissionRecord): string {
  const servers = [...record].map(([id, { source, modules, digests, stamps }]) => {
    const maps = { modules: toJsonObject(modules), digests: toJsonObject(digests), stamps: toJsonObject(stamps) };
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
      Object.entries(servers).map(([id, { source, modules, digests, stamps }]) => {
        return [id, { source, modules: toTexts(modules), digests: toTexts(digests), stamps: toTexts(stamps) }];
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
