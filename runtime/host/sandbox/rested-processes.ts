import { readResidentBytes } from "./process-memory.ts";
import { takeRandomWords } from "./random-words.ts";
import type { SandboxListener, SandboxProcess } from "./sandbox-process.ts";

/** Processes that have served a run to a clean end, and wait for another of the same trust domain. */
export interface RestedProcesses {
  /** Makes a fresh process one that comes here when its script has ended. */
  lend(sandbox: SandboxProcess, trustDomain: string): SandboxProcess;
  take(trustDomain: string): SandboxProcess | undefined;
  /** How many wait. */
  count(): number;
}

/** What is known of a process that has served. */
interface Service {
  sandbox: SandboxProcess;
  trustDomain: string;
  runs: number;
  busyMs: number;
  /** Its memory before its first run. */
  idleBytes: number;
}

/** The processor time of a process is limited once for all its runs, so they may not take long together. */
export const MAX_SHARED_MS = 10_000;
/** A process that holds so much more than before its first run would leave the next one less. */
const MAX_GROWTH_BYTES = 32 * 1024 * 1024;
/** How long a script's remains may keep its process busy after the result. */
const REST_MS = 1_000;
/** How long one waits for the next run. */
const IDLE_MS = 10_000;
const ANY_FRAME_BYTES = 1024;

/**
 * Keeps up to `maxCount` processes, each for `reuse` further runs. `offer` passes on an idle one, and returns whether a caller was waiting
 * for it.
 */
export function makeRestedProcesses(
  reuse: number,
  maxCount: number,
  offer: (sandbox: SandboxProcess, trustDomain: string) => boolean,
): RestedProcesses {
  const resting: (Service & { expiry: NodeJS.Timeout })[] = [];

  const serve = (service: Service): SandboxProcess => {
    const { sandbox } = service;
    if (service.runs >= reuse) return sandbox;
    const startedAt = performance.now();
    return {
      ...sandbox,
      successor: { seed: takeRandomWords(4) },
      retire() {
        const busyMs = service.busyMs + performance.now() - startedAt;
        awaitRest(sandbox, () => keep({ ...service, runs: service.runs + 1, busyMs }));
      },
    };
  };
  const keep = (service: Service): void => {
    const { sandbox, trustDomain, busyMs, idleBytes } = service;
    const hasGrown = readResidentBytes(sandbox.pid) > idleBytes + MAX_GROWTH_BYTES;
    if (busyMs > MAX_SHARED_MS || hasGrown) return sandbox.kill();
    if (offer(serve(service), trustDomain)) return;
    const expiry = setTimeout(() => remove(resting.indexOf(entry))?.sandbox.kill(), IDLE_MS).unref();
    const entry = { ...service, expiry };
    resting.push(entry);
    if (resting.length > maxCount) remove(0)?.sandbox.kill();
  };

  /** Takes a process out of those that rest. */
  const remove = (index: number): Service | undefined => {
    const [removed] = index < 0 ? [] : resting.splice(index, 1);
    clearTimeout(removed?.expiry);
    return removed;
  };

  return {
    lend: (sandbox, trustDomain) =>
      serve({ sandbox, trustDomain, runs: 0, busyMs: 0, idleBytes: readResidentBytes(sandbox.pid) }),
    count: () => resting.length,
    take(trustDomain) {
      for (;;) {
        const service = remove(resting.findLastIndex((one) => one.trustDomain === trustDomain));
        if (service === undefined || service.sandbox.isAlive()) return service && serve(service);
      }
    },
  };
}

/** Any other frame after the result, or while idle, comes from the script: it ends the process. */
function awaitRest(sandbox: SandboxProcess, onRested: () => void): void {
  const silent: SandboxListener = { onFrame: sandbox.kill, onBrokenFrame: sandbox.kill };
  const end = (): void => {
    sandbox.listen(silent, ANY_FRAME_BYTES); // It may be about to say that it rests.
    sandbox.kill();
  };
  const timeout = setTimeout(end, REST_MS);
  const listener: SandboxListener = {
    onFrame(frame) {
      clearTimeout(timeout);
      if (frame.type !== "rested" || !frame.isClean) return end();
      sandbox.listen(silent, ANY_FRAME_BYTES);
      onRested();
    },
    onBrokenFrame: end,
    onEnd: () => clearTimeout(timeout),
  };
  sandbox.listen(listener, ANY_FRAME_BYTES);
}
