import type { ShapeCollector } from "../../engine/extras.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ObservedResults } from "../../schemas/observed/observed-results.ts";
import { joinResultShapes, type ResultShape } from "../../schemas/observed/result-shape.ts";
import { addResult } from "./learn-from-recording.ts";
import { hasObservations, newSourceId, writeObservations } from "./observed-store.ts";

/** A crash loses no more. */
const WRITE_AFTER_MS = 5000;
/** Tools of one process; more than any known project has. */
const MOST_TOOLS = 5000;

/** What came of one tool since the last time. */
interface Recent {
  serverId: string;
  toolName: string;
  results: number;
  shape: ResultShape;
}

/**
 * Collects shapes, and writes them from time to time. What was learned or forgotten meanwhile is not written again: then the file is gone,
 * and a new series begins.
 */
export function collectShapes(project: string, lockfile: () => Lockfile): ShapeCollector {
  const tools = new Set<string>();
  let source = newSourceId();
  let isWritten = false;
  let byServer = new Map<string, Map<string, ObservedResults>>();
  let recent = new Map<string, Recent>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (isWritten && !(await hasObservations(project, source))) {
      source = newSourceId();
      byServer = new Map();
    }
    for (const { serverId, toolName, results, shape } of recent.values()) {
      const known = byServer.get(serverId) ?? new Map<string, ObservedResults>();
      byServer.set(serverId, known.set(toolName, addResult(known.get(toolName), source, shape, results)));
    }
    recent = new Map();
    isWritten = true;
    await writeObservations(project, source, byServer, lockfile());
  };
  const begin = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // A state folder that cannot be written ends no run.
    writing = writing.then(write).catch(() => undefined);
  };
  return {
    add({ serverId, toolName }, shape) {
      const key = `${serverId}/${toolName}`;
      const known = recent.get(key);
      if (!tools.has(key) && tools.size >= MOST_TOOLS) return;
      tools.add(key);
      const joined = known === undefined ? shape : joinResultShapes(known.shape, shape);
      recent.set(key, { serverId, toolName, results: (known?.results ?? 0) + 1, shape: joined });
      timer ??= setTimeout(begin, WRITE_AFTER_MS).unref();
    },
    async close() {
      if (timer !== undefined) begin();
      await writing;
    },
  };
}
