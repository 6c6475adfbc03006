import { availableParallelism } from "node:os";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import type { PoolState } from "../../../schemas/run/events.ts";
import { type Launcher, makeLauncher } from "./launcher.ts";
import { MAXIMUM_LIMITS } from "./limits.ts";
import { type IdleProcesses, MAX_SHARED_MS, makeIdleProcesses, RENEWAL_MS, type Reuse } from "./idle-processes.ts";
import { SandboxStartError, type SandboxProcess } from "./sandbox-process.ts";

export interface SandboxPoolOptions {
  /** How many processes wait for a script at least. One is enough for one run at a time; under load there are more. */
  size?: number | undefined;
  /** What one sandbox may hold at most, in bytes; a run may ask for less. */
  maxMemoryBytes?: number | undefined;
  /** The longest run, in milliseconds: the kernel ends a process that has used so much processor time and a little more. */
  maxTimeoutMs?: number | undefined;
  /** The Node binary of the sandboxes; this process's unless given. */
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
 * and starts too: more of them would only delay both.
 */
const MIN_PATIENCE_MS = 50;
const MAX_PATIENCE_MS = 1_000;

/** Makes a pool. It starts nothing before `warm` or `take`. */
export function makeSandboxPool(options: SandboxPoolOptions = {}): SandboxPool {
  return new Pool(options);
}

/** What callers reach are properties, so that a pool can be copied with another `take`. */
class Pool implements SandboxPool {
  readonly maxMemoryBytes: number;
  readonly #size: number;
  readonly #refill: boolean;
  readonly #maxWaiting: number;
  readonly #launcher: Launcher;
  readonly #idle: IdleProcesses;
  readonly #waiting: SandboxProcess[] = [];
  readonly #claims: Claim[] = [];
  readonly #starts = new Set<Promise<void>>();
  /** The target number of ready processes. It follows the load: up when a caller finds none, down with time. */
  #wanted = 0;
  /** Processes that have been given away and have not ended, whether they have a script or rest. */
  #given = 0;
  #patienceMs = MIN_PATIENCE_MS;
  #isClosed = false;
  #filling: { at: number; timer: NodeJS.Timeout } | undefined;
  #shrinking: NodeJS.Timeout | undefined;

  constructor({ size = 1, refill = true, reuse = NO_REUSE, ...options }: SandboxPoolOptions) {
    const { node = process.execPath, command, maxMemoryBytes = DEFAULTS.limits.maxMemoryBytes } = options;
    const { maxTimeoutMs = MAXIMUM_LIMITS.timeoutMs } = options;
    const isReused = reuse.times > 0;
    const maxCpuSeconds = Math.ceil((maxTimeoutMs + (isReused ? MAX_SHARED_MS : 0)) / 1000) + CPU_SECONDS_SPARE;
    const renewal = isReused ? reuse.renew : undefined;
    this.maxMemoryBytes = maxMemoryBytes;
    this.#size = size;
    this.#refill = refill;
    this.#maxWaiting = Math.max(size, MAX_STARTING * 2);
    this.#launcher = makeLauncher({ node, maxMemoryBytes, renewal, command }, maxCpuSeconds);
    this.#idle = makeIdleProcesses(reuse, this.#maxWaiting, (sandbox, trustDomain) => {
      const index = this.#claims.findIndex((claim) => claim.trustDomain === trustDomain);
      const [claim] = index < 0 ? [] : this.#claims.splice(index, 1);
      claim?.resolve(sandbox);
      return claim !== undefined;
    });
  }

  readonly warm = (): Promise<void> => outsideOfRequests(this.#warm);

  readonly take = (trustDomain?: string): Promise<SandboxProcess> => outsideOfRequests(() => this.#take(trustDomain));

  readonly close = (): Promise<void> => outsideOfRequests(this.#close);

  readonly #warm = async (): Promise<void> => {
    this.#wanted = Math.max(this.#wanted, this.#size);
    this.#fill();
    while (this.#starts.size > 0 && this.#waiting.length < this.#wanted) await Promise.all(this.#starts);
    if (!this.#refill) this.#wanted = 0;
  };

  async #take(trustDomain: string | undefined): Promise<SandboxProcess> {
    if (this.#isClosed) throw new SandboxStartError("the pool is closed");
    const used = trustDomain === undefined ? undefined : this.#idle.take(trustDomain);
    if (used !== undefined) return used;
    const isDue = this.#patienceFor(trustDomain) === undefined;
    const sandbox = this.#takeFor(trustDomain);
    if (sandbox !== undefined) return sandbox;
    if (isDue && this.#refill) this.#grow();
    const claimed = new Promise<SandboxProcess>((resolve, reject) =>
      this.#claims.push({ trustDomain, resolve, reject }),
    );
    this.#fill();
    return claimed;
  }

  readonly state = (): PoolState => {
    const busy = this.#given - this.#idle.count();
    return { ready: this.#waiting.length, busy, starting: this.#starts.size, size: this.#wanted };
  };

  readonly #close = async (): Promise<void> => {
    this.#isClosed = true;
    clearTimeout(this.#shrinking);
    clearTimeout(this.#filling?.timer);
    for (const { reject } of this.#claims.splice(0)) reject(new SandboxStartError("the pool is closed"));
    await this.#launcher.close();
    await Promise.allSettled(this.#starts);
  };

  #give(sandbox: SandboxProcess, trustDomain: string | undefined): SandboxProcess {
    this.#given += 1;
    void sandbox.ended.then(() => this.#takeBack());
    if (this.#refill) {
      this.#wanted = Math.max(this.#wanted, this.#size);
      this.#fillIn(REFILL_AT_LATEST_MS);
    }
    return trustDomain === undefined ? sandbox : this.#idle.lease(sandbox, trustDomain);
  }

  #takeBack(): void {
    this.#given -= 1;
    if (this.#refill) this.#fillIn(REFILL_AFTER_RUN_MS);
  }

  async #start(): Promise<void> {
    try {
      const startedAt = performance.now();
      const sandbox = await this.#launcher.launch();
      this.#patienceMs = Math.min(Math.max(MIN_PATIENCE_MS, performance.now() - startedAt), MAX_PATIENCE_MS);
      const claim = this.#claims.shift();
      if (claim === undefined) this.#waiting.push(sandbox);
      else claim.resolve(this.#give(sandbox, claim.trustDomain));
    } catch (error) {
      this.#claims.shift()?.reject(error);
      throw error;
    }
  }

  /** How long a caller waits at most for a process of its trust domain, in milliseconds; undefined where none is expected back. */
  #patienceFor(trustDomain: string | undefined): number | undefined {
    if (trustDomain === undefined) return undefined;
    if (this.#isRenewing(trustDomain)) return RENEWAL_MS.compartment;
    return this.#idle.expects(trustDomain, this.#patienceMs) ? this.#patienceMs : undefined;
  }

  /** Whether runs of a trust domain come one after another, and the last one's process is about to be idle. */
  #isRenewing(trustDomain: string | undefined): boolean {
    if (trustDomain === undefined || this.#claims.length > 0) return false;
    const renewing = this.#idle.countRenewing(trustDomain);
    return renewing > 0 && renewing === this.#idle.countOf(trustDomain);
  }

  /**
   * A process that waits; none where one of the trust domain renews itself, whose code is warm, or one is expected back and every processor has
   * one of them already.
   */
  #takeFor(trustDomain: string | undefined): SandboxProcess | undefined {
    const hasEnough = trustDomain !== undefined && this.#idle.countOf(trustDomain) >= PROCESSORS;
    if (this.#isRenewing(trustDomain) || (hasEnough && this.#patienceFor(trustDomain) !== undefined)) return undefined;
    let sandbox = this.#waiting.shift();
    while (sandbox !== undefined && !sandbox.isAlive()) sandbox = this.#waiting.shift();
    return sandbox && this.#give(sandbox, trustDomain);
  }

  /** Gives what waits to the claims. The number of claims that remain and expect no process of their trust domain back. */
  #serveClaims(): number {
    let due = 0;
    let soonestMs = Infinity;
    for (const claim of this.#claims.splice(0)) {
      const patienceMs = this.#patienceFor(claim.trustDomain);
      const sandbox = this.#takeFor(claim.trustDomain);
      if (sandbox !== undefined) {
        claim.resolve(sandbox);
        continue;
      }
      this.#claims.push(claim);
      if (patienceMs === undefined) due += 1;
      else soonestMs = Math.min(soonestMs, patienceMs);
    }
    if (soonestMs < Infinity) this.#fillIn(soonestMs);
    return due;
  }

  #fill(): void {
    const due = this.#serveClaims();
    // Idle processes serve most runs of their client; one that has run nothing is there for another.
    const fresh = Math.max(this.#wanted - this.#idle.count(), Math.min(this.#wanted, 1));
    const hasRoom = () => this.#starts.size < MAX_STARTING && this.#starts.size + this.#waiting.length < due + fresh;
    while (!this.#isClosed && hasRoom()) {
      const started = this.#start();
      this.#starts.add(started);
      // After one that failed, others are only tried for those who would hear of it.
      const goOn = (isWorthwhile: boolean): void => {
        this.#starts.delete(started);
        if (isWorthwhile) this.#fill();
      };
      void started.then(
        () => goOn(true),
        () => goOn(this.#claims.length > 0),
      );
    }
  }

  /** Fills the pool after this time at the latest. */
  #fillIn(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (this.#filling !== undefined && this.#filling.at <= at) return;
    clearTimeout(this.#filling?.timer);
    const onTime = (): void => {
      this.#filling = undefined;
      this.#fill();
    };
    this.#filling = { at, timer: setTimeout(onTime, delayMs).unref() };
  }

  #grow(): void {
    this.#wanted = Math.min(this.#wanted + 1, this.#maxWaiting);
    this.#shrinkLater();
  }

  #shrinkLater(): void {
    clearTimeout(this.#shrinking);
    if (this.#wanted <= this.#size) return;
    const shrink = (): void => {
      this.#wanted = Math.max(this.#size, this.#wanted - 1);
      for (const surplus of this.#waiting.splice(this.#wanted)) surplus.kill();
      this.#shrinkLater();
    };
    this.#shrinking = setTimeout(shrink, SHRINK_AFTER_MS).unref();
  }
}
