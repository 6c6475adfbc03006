import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type EmissionJob, type EmissionPart, emitPart } from "./emit-part.ts";

/** To load the printers takes a thread about as long as to print so many tools. */
const TOOLS_FOR_A_THREAD = 100;
/** Each thread holds two compilers in memory. */
const MOST_THREADS = 4;
/** Printing makes much that is garbage at once; with room for it, little of it has to be copied. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 64 };

/** Called for each emitted server. */
export type OnEmitted = (serverId: string) => void;

/** Emits servers, in threads where that is faster. The parts are in the order of the jobs, and the same in either way. */
export async function emitParts(
  jobs: readonly EmissionJob[],
  onEmitted: OnEmitted = () => undefined,
): Promise<EmissionPart[]> {
  const toolCount = jobs.reduce((sum, job) => sum + estimateTools(job), 0);
  const threads = Math.floor(toolCount / TOOLS_FOR_A_THREAD);
  const threadCount = Math.min(threads, jobs.length, availableParallelism(), MOST_THREADS);
  if (threadCount > 1) return await emitInThreads(jobs, threadCount, onEmitted);
  const parts: EmissionPart[] = [];
  // One server after the other: the printers of all at once would fill the memory.
  for (const job of jobs) {
    parts.push(await emitPart(job));
    onEmitted(job.server.id);
  }
  return parts;
}

async function emitInThreads(
  jobs: readonly EmissionJob[],
  threadCount: number,
  onEmitted: OnEmitted,
): Promise<EmissionPart[]> {
  const parts = new Map<EmissionJob, EmissionPart>();
  // The largest first, so that no thread is left with a large one when the others have ended.
  const waiting = jobs.toSorted((left, right) => estimateTools(right) - estimateTools(left));
  const work = async (): Promise<void> => {
    const thread = new Worker(new URL("./emit-thread.js", import.meta.url), { resourceLimits: RESOURCE_LIMITS });
    try {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        thread.postMessage(job);
        const [part] = (await once(thread, "message")) as [EmissionPart];
        parts.set(job, part);
        onEmitted(job.server.id);
      }
    } finally {
      // After a failure nothing more is begun.
      waiting.length = 0;
      await thread.terminate();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: threadCount }, work));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return jobs.map((job) => parts.get(job) as EmissionPart);
}

/** How many tools of the server have to be printed: as large a share as that of its files that are not intact. */
function estimateTools({ server, known, intact }: EmissionJob): number {
  const there = known === undefined ? 0 : intact.size / known.digests.size;
  return server.tools.length * (1 - there);
}
