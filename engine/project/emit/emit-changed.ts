import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import type { GeneratedFile } from "../../../templates/generated-file.ts";
import type { EmissionRecord, EmittedServer } from "./emission-record.ts";
import type { EmissionJob } from "./emit-part.ts";
import { serverSource } from "../../../templates/plan-sources.ts";
import { emitParts } from "./emit-parts.ts";
import { findIntact } from "./find-intact.ts";
import { countParts, type OnProgress } from "../../../schemas/progress.ts";

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
  const emittedOf = new Map(outdated.map(({ server }, index) => [server.id, parts[index]?.emitted]));
  return {
    files: parts.flatMap(({ files }) => files),
    kept: [...parts.flatMap(({ kept }) => kept), ...known.filter(isIntact).flatMap(({ intact }) => [...intact])],
    record: new Map(known.map((job) => [job.server.id, (emittedOf.get(job.server.id) ?? job.known) as EmittedServer])),
  };
}

/** What `emitChanged` gives where nothing has to be emitted; undefined where something has. It needs no compiler, and so no process. */
export function findEmitted(
  folder: string,
  servers: readonly LockedServer[],
  record: EmissionRecord,
): Emission | undefined {
  const known = toJobs(folder, servers, record);
  if (!known.every(isIntact)) return undefined;
  return {
    files: [],
    kept: known.flatMap(({ intact }) => [...intact]),
    record: new Map(known.map((job) => [job.server.id, job.known as EmittedServer])),
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
