import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { makeAnsweringProcess } from "../../process/answering-process.ts";
import { type Emission, emitChanged, type EmissionRecord } from "../emit/emit-changed.ts";

/** What is asked of the process that emits; it needs no more of a project. */
export interface EmissionRequest {
  folder: string;
  servers: readonly LockedServer[];
  record: EmissionRecord;
}

const MAX_HEAP_MEGABYTES = 2048;
const MAX_PROCESSOR_MS = 120_000;

/**
 * `emitChanged` in a process of its own that ends with it. The compilers that print code stay in the memory of the process that loads them:
 * they made the heap of `codemode serve` five times as large, and V8 lets garbage grow to a multiple of the heap.
 */
export const emitApart: typeof emitChanged = async (folder, servers, record) => {
  const { ask, close } = makeAnsweringProcess<EmissionRequest, Emission>({
    program: new URL("./main.js", import.meta.url),
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    maxProcessorMs: MAX_PROCESSOR_MS,
  });
  try {
    const asked = await ask({ folder, servers, record }).catch(() => undefined);
    // Why it failed is said best by an error that was thrown here.
    return asked?.kind === "answered" ? asked.answer : await emitChanged(folder, servers, record);
  } finally {
    await close();
  }
};
