import type { Renewal } from "../../../schemas/run/protocol.ts";
import type { SandboxListener } from "./sandbox-engine.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Idle processes: each has finished a run cleanly, and waits for another of the same trust domain. */
export interface IdleProcesses {
  /** Wraps a new process so that it returns here after its script. */
  lease(sandbox: SandboxProcess, trustDomain: string): SandboxProcess;
  take(trustDomain: string): SandboxProcess | undefined;
  /** Whether a process of this trust domain has been given within so many milliseconds, so that one is expected back soon. */
  expects(trustDomain: string, patienceMs: number): boolean;
  /** How many processes serve this trust domain, also while they renew themselves or wait. */
  countOf(trustDomain: string): number;
  /** How many processes of this trust domain have answered a moment ago, and are about to be idle. */
  countRenewing(trustDomain: string): number;
  /** The number of idle processes. */
  count(): number;
}

/** A process with its history. */
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
/** What runs may leave in their process, such as realms that wait to be collected. It does not count as the memory of the next one. */
export const MAX_GROWTH_BYTES: Readonly<Record<Renewal, number>> = {
  realm: 48 * 1024 * 1024,
  compartment: 32 * 1024 * 1024,
};
/** How long a caller waits at most for a process that renews itself. A new realm takes longer than another process. */
export const RENEWAL_MS: Readonly<Record<Renewal, number>> = { realm: 0, compartment: 5 };
/** How long a script's remains may keep its process busy after the result. */
const SETTLE_MS = 1_000;
/** How long one waits for the next run. */
const IDLE_MS = 10_000;
const ANY_FRAME_BYTES = 1024;

/** How processes serve again. */
export interface Reuse {
  /** How many further runs each serves after its first. */
  times: number;
  renew: Renewal;
}

/** Keeps up to `maxCount` processes. `offer` passes on an idle one, and returns whether a caller was waiting for it. */
export function makeIdleProcesses(
  { times, renew }: Reuse,
  maxCount: number,
  offer: (sandbox: SandboxProcess, trustDomain: string) => boolean,
): IdleProcesses {
  const idle: (Service & { expiry: NodeJS.Timeout })[] = [];
  const renewals = makeRenewals(RENEWAL_MS[renew]);
  /** When one of a trust domain was given last. */
  const givenAt = new Map<string, number>();
  const counts = new Map<string, number>();
  const countOf = (trustDomain: string): number => counts.get(trustDomain) ?? 0;
  const addCount = (trustDomain: string, change: number): void => {
    const count = countOf(trustDomain) + change;
    if (count > 0) counts.set(trustDomain, count);
    else {
      counts.delete(trustDomain);
      givenAt.delete(trustDomain);
    }
  };

  const serve = (service: Service): SandboxProcess => {
    const { sandbox, idleBytes } = service;
    const leftBytes = Math.max(sandbox.residentBytes() - idleBytes, 0);
    const ofThisRun: SandboxProcess = {
      ...sandbox,
      residentBytes: () => sandbox.residentBytes() - leftBytes,
      watchMemory: (maxBytes, onExceeded) => sandbox.watchMemory(maxBytes + leftBytes, onExceeded),
    };
    if (service.runs >= times) return ofThisRun;
    const startedAt = performance.now();
    givenAt.set(service.trustDomain, startedAt);
    return {
      ...ofThisRun,
      renew,
      release() {
        const busyMs = service.busyMs + performance.now() - startedAt;
        renewals.begin(service);
        awaitIdle(sandbox, () => keep({ ...service, runs: service.runs + 1, busyMs }));
      },
    };
  };
  const keep = (service: Service): void => {
    const { sandbox, trustDomain, busyMs, idleBytes } = service;
    renewals.end(sandbox);
    const hasGrown = sandbox.residentBytes() > idleBytes + MAX_GROWTH_BYTES[renew];
    if (busyMs > MAX_SHARED_MS || hasGrown) return sandbox.kill();
    if (offer(serve(service), trustDomain)) return;
    const expiry = setTimeout(() => remove(idle.indexOf(entry))?.sandbox.kill(), IDLE_MS).unref();
    const entry = { ...service, expiry };
    idle.push(entry);
    if (idle.length > maxCount) remove(0)?.sandbox.kill();
  };

  /** Removes a process from the idle ones. */
  const remove = (index: number): Service | undefined => {
    const [removed] = index < 0 ? [] : idle.splice(index, 1);
    clearTimeout(removed?.expiry);
    return removed;
  };

  return {
    lease(sandbox, trustDomain) {
      if (times === 0) return sandbox;
      addCount(trustDomain, 1);
      void sandbox.ended.then(() => addCount(trustDomain, -1));
      void sandbox.ended.then(() => renewals.end(sandbox));
      return serve({ sandbox, trustDomain, runs: 0, busyMs: 0, idleBytes: sandbox.residentBytes() });
    },
    count: () => idle.length,
    countOf,
    countRenewing: renewals.count,
    expects: (trustDomain, patienceMs) => performance.now() - (givenAt.get(trustDomain) ?? -Infinity) < patienceMs,
    take(trustDomain) {
      for (;;) {
        const service = remove(idle.findLastIndex((one) => one.trustDomain === trustDomain));
        if (service === undefined || service.sandbox.isAlive()) return service && serve(service);
      }
    },
  };
}

/** Counts the processes that renew themselves, for a time. */
function makeRenewals(longestMs: number) {
  const open = new Map<SandboxProcess, { trustDomain: string; since: number }>();
  return {
    begin: ({ sandbox, trustDomain }: Service) => void open.set(sandbox, { trustDomain, since: performance.now() }),
    end: (sandbox: SandboxProcess) => void open.delete(sandbox),
    count(trustDomain: string): number {
      const earliest = performance.now() - longestMs;
      return [...open.values()].filter((one) => one.trustDomain === trustDomain && one.since > earliest).length;
    },
  };
}

/** Any other frame after the result, or while idle, comes from the script: it ends the process. */
function awaitIdle(sandbox: SandboxProcess, onIdle: () => void): void {
  const silent: SandboxListener = { onFrame: sandbox.kill, onBrokenFrame: sandbox.kill };
  const end = (): void => {
    sandbox.listen(silent, ANY_FRAME_BYTES); // Its reset frame may already be on the way.
    sandbox.kill();
  };
  const timeout = setTimeout(end, SETTLE_MS);
  const listener: SandboxListener = {
    onFrame(frame) {
      clearTimeout(timeout);
      if (frame.type !== "reset" || !frame.isClean) return end();
      sandbox.listen(silent, ANY_FRAME_BYTES);
      onIdle();
    },
    onBrokenFrame: end,
    onEnd: () => clearTimeout(timeout),
  };
  sandbox.listen(listener, ANY_FRAME_BYTES);
}
