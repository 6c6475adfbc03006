import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { ObservedResults } from "../../../schemas/observed/observed-results.ts";
import type { ResultShape } from "../../../schemas/observed/result-shape.ts";
import { addResult } from "./learn-from-recording.ts";
import { newSourceId, writeObservations } from "./observed-store.ts";

/** The shapes that the runs of one process leave behind for `codemode learn`. */
export interface ShapeCollector {
  add(tool: { serverId: string; toolName: string }, shape: ResultShape): void;
  /** Writes what came since the last time, and ends. */
  close(): Promise<void>;
}

/** A crash loses no more. */
const WRITE_AFTER_MS = 5000;
/** Tools of one process; more than any known project has. */
const MOST_TOOLS = 5000;

/** Collects shapes, and writes them from time to time: once learned, they may come again, which changes nothing. */
export function collectShapes(project: string, lockfile: () => Lockfile): ShapeCollector {
  const source = newSourceId();
  const byServer = new Map<string, Map<string, ObservedResults>>();
  let tools = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // A state folder that cannot be written ends no run.
    writing = writing.then(() => writeObservations(project, source, byServer, lockfile())).catch(() => undefined);
  };
  return {
    add({ serverId, toolName }, shape) {
      const known = byServer.get(serverId) ?? new Map<string, ObservedResults>();
      if (!known.has(toolName) && (tools += 1) > MOST_TOOLS) return;
      byServer.set(serverId, known.set(toolName, addResult(known.get(toolName), source, shape)));
      timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
    },
    async close() {
      if (timer !== undefined) write();
      await writing;
    },
  };
}
