import { availableParallelism } from "node:os";
import { DEFAULT_LIMITS } from "../../../schemas/run/answer.ts";
import type { PoolState } from "../../../schemas/run/observer.ts";
import { makeLauncher } from "./launcher.ts";
import { MAXIMUM_LIMITS } from "./limits.ts";
import { MAX_SHARED_MS, makeIdleProcesses, type Reuse } from "./idle-processes.ts";
import { SandboxStartError, type SandboxProcess } from "./sandbox-process.ts";

export interface SandboxPoolOptions {
  /** How many processes wait for a script at least. One is enough for one run at a time; under load there are more. */
  size?: number | undefined;
  /** What one sandbox may hold at most, in bytes; a run may ask for less. */
  maxMemoryBytes?: number | undefined;
  /** The longest run, in milliseconds: the kernel ends a process that has used so much processor time and a little more. */
  maxTimeoutMs?: number | undefined;
  /** The Node binary of the sandboxes; that of this process unless given. */
  node?: string | undefined;
  /** Words of a program that starts the sandboxes: `sandbox.command` of the configuration. */
  command?: readonly string[] | undefined;
  /** False where one run is all that will be: no process is started in the place of one that was taken. */
  refill?: boolean | undefined;
  /** How processes serve further runs of one trust domain; not at all unless given. `SECURITY.md` says what that gives up. */
  reuse?: Reuse | undefined;
}

/** Processes that have started and wait, each for one script. */
export interface SandboxPool {
  readonly maxMemoryBytes: number;
  /** Starts processes up to the size of the pool; settles when they are ready. */
  warm(): Promise<void>;
  /**
   * A ready process for exclusive use. Rejects with a `SandboxStartError` if none can be started. Only with a trust domain may it be a
   * reused one, and then of the same domain.
   */
  take(trustDomain?: string): Promise<SandboxProcess>;
  state(): PoolState;
  /** Ends every process, those with a script too, and settles when they are gone. */
  close(): Promise<void>;
}

interface Claim {
  trustDomain: string | undefined;
  resolve: (sandbox: SandboxProcess) => void;
  reject: (error: unknown) => void;
}

/** A start blocks this process for some milliseconds: it waits until a short run has been answered, but not for a long one. */
const REFILL_AFTER_RUN_MS = 5;
const REFILL_AT_LATEST_MS = 50;
/** So long after the last one that found nothing waiting, one process less will wait. */
const SHRINK_AFTER_MS = 10_000;
const CPU_SECONDS_SPARE = 5;
const NO_REUSE: Reuse = { times: 0, renew: "compartment" };
const PROCESSORS = availableParallelism();
/** More starts at a time than processors only delay each other, and the scripts that run. */
const MAX_STARTING = PROCESSORS;
/**
 * A caller waits for a process of its trust domain as long as the last start took, within these bounds. On a busy machine runs take longer,
 * and so do starts: more of them would only delay both.
 */
const MIN_PATIENCE_MS = 50;
const MAX_PATIENCE_MS = 1_000;

/** Makes a pool. It starts nothing before `warm` or `take`. */
export function makeSandboxPool(options: SandboxPoolOptions = {}): SandboxPool {
  const { size = 1, maxMemoryBytes = DEFAULT_LIMITS.maxMemoryBytes, maxTimeoutMs = MAXIMUM_LIMITS.timeoutMs } = options;
  const { node = process.execPath, refill = true, reuse = NO_REUSE } = options;
  const maxWaiting = Math.max(size, MAX_STARTING * 2);
  const maxCpuSeconds = Math.ceil((maxTimeoutMs + (reuse.times > 0 ? MAX_SHARED_MS : 0)) / 1000) + CPU_SECONDS_SPARE;
  const renewal = reuse.times > 0 ? reuse.renew : undefined;
  const launcher = makeLauncher({ node, maxMemoryBytes, maxCpuSeconds, renewal, command: options.command });
  const waiting: SandboxProcess[] = [];
  const claims: Claim[] = [];
  const starts = new Set<Promise<void>>();
  /** The target number of ready processes. It follows the load: up when a caller finds none, down with time. */
  let wanted = 0;
  /** Those that have been given away and have not ended, whether they have a script or rest. */
  let given = 0;
  let patienceMs = MIN_PATIENCE_MS;
  let isClosed = false;

  const idle = makeIdleProcesses(reuse, maxWaiting, (sandbox, trustDomain) => {
    const index = claims.findIndex((claim) => claim.trustDomain === trustDomain);
    const [claim] = index < 0 ? [] : claims.splice(index, 1);
    claim?.resolve(sandbox);
    return claim !== undefined;
  });

  const takeBack = (): void => {
    given -= 1;
    if (refill) fillIn(REFILL_AFTER_RUN_MS);
  };
  const give = (sandbox: SandboxProcess, trustDomain: string | undefined): SandboxProcess => {
    given += 1;
    void sandbox.ended.then(takeBack);
    if (refill) {
      wanted = Math.max(wanted, size);
      fillIn(REFILL_AT_LATEST_MS);
    }
    return trustDomain === undefined ? sandbox : idle.lease(sandbox, trustDomain);
  };
  const start = async (): Promise<void> => {
    try {
      const startedAt = performance.now();
      const sandbox = await launcher.launch();
      patienceMs = Math.min(Math.max(MIN_PATIENCE_MS, performance.now() - startedAt), MAX_PATIENCE_MS);
      const claim = claims.shift();
      if (claim === undefined) waiting.push(sandbox);
      else claim.resolve(give(sandbox, claim.trustDomain));
    } catch (error) {
      claims.shift()?.reject(error);
      throw error;
    }
  };
  const isExpected = (trustDomain: string | undefined): boolean =>
    trustDomain !== undefined && idle.expects(trustDomain, patienceMs);
  const takeWaiting = (): SandboxProcess | undefined => {
    let sandbox = waiting.shift();
    while (sandbox !== undefined && !sandbox.isAlive()) sandbox = waiting.shift();
    return sandbox;
  };
  /** A process that waits, unless one of the trust domain is expected back and every processor has one of them already. */
  const takeFor = (trustDomain: string | undefined): SandboxProcess | undefined => {
    const hasEnough = trustDomain !== undefined && idle.countOf(trustDomain) >= PROCESSORS;
    const sandbox = hasEnough && isExpected(trustDomain) ? undefined : takeWaiting();
    return sandbox && give(sandbox, trustDomain);
  };
  /** Gives what waits to the claims. The number of those that remain and expect no process of their trust domain back. */
  const serveClaims = (): number => {
    let due = 0;
    for (const claim of claims.splice(0)) {
      const isDue = !isExpected(claim.trustDomain);
      const sandbox = takeFor(claim.trustDomain);
      if (sandbox !== undefined) {
        claim.resolve(sandbox);
        continue;
      }
      claims.push(claim);
      if (isDue) due += 1;
    }
    if (due < claims.length) fillIn(patienceMs);
    return due;
  };
  const fill = (): void => {
    const due = serveClaims();
    // Idle processes serve most runs of their client; one that has run nothing is there for another.
    const fresh = Math.max(wanted - idle.count(), Math.min(wanted, 1));
    while (!isClosed && starts.size < MAX_STARTING && starts.size + waiting.length < due + fresh) {
      const started = start();
      starts.add(started);
      void started.then(
        () => afterStart(started),
        () => afterStart(started, claims.length > 0),
      );
    }
  };
  /** After one that failed, others are only tried for those who would hear of it. */
  const afterStart = (started: Promise<void>, isWorthwhile = true): void => {
    starts.delete(started);
    if (isWorthwhile) fill();
  };

  let filling: { at: number; timer: NodeJS.Timeout } | undefined;
  /** Fills the pool after this time at the latest. */
  const fillIn = (delayMs: number): void => {
    const at = performance.now() + delayMs;
    if (filling !== undefined && filling.at <= at) return;
    clearTimeout(filling?.timer);
    const onTime = (): void => {
      filling = undefined;
      fill();
    };
    filling = { at, timer: setTimeout(onTime, delayMs).unref() };
  };

  const shrink = (): void => {
    wanted = Math.max(size, wanted - 1);
    for (const surplus of waiting.splice(wanted)) surplus.kill();
    shrinkLater();
  };
  let shrinking: NodeJS.Timeout | undefined;
  const shrinkLater = (): void => {
    clearTimeout(shrinking);
    if (wanted > size) shrinking = setTimeout(shrink, SHRINK_AFTER_MS).unref();
  };
  const grow = (): void => {
    wanted = Math.min(wanted + 1, maxWaiting);
    shrinkLater();
  };

  return {
    maxMemoryBytes,
    async warm() {
      wanted = Math.max(wanted, size);
      fill();
      while (starts.size > 0 && waiting.length < wanted) await Promise.all(starts);
      if (!refill) wanted = 0;
    },
    async take(trustDomain) {
      if (isClosed) throw new SandboxStartError("the pool is closed");
      const used = trustDomain === undefined ? undefined : idle.take(trustDomain);
      if (used !== undefined) return used;
      const isDue = !isExpected(trustDomain);
      const sandbox = takeFor(trustDomain);
      if (sandbox !== undefined) return sandbox;
      if (isDue && refill) grow();
      const claimed = new Promise<SandboxProcess>((resolve, reject) => claims.push({ trustDomain, resolve, reject }));
      fill();
      return claimed;
    },
    state: () => ({ ready: waiting.length, busy: given - idle.count(), starting: starts.size, size: wanted }),
    async close() {
      isClosed = true;
      clearTimeout(shrinking);
      clearTimeout(filling?.timer);
      for (const { reject } of claims.splice(0)) reject(new SandboxStartError("the pool is closed"));
      await launcher.close();
      await Promise.allSettled(starts);
    },
  };
}
