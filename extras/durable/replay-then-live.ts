import {
  MAX_DELAY_MS,
  MAX_TIMERS,
  type RunWire,
  type TimeFrame,
  type Timekeeper,
} from "../../runtime/sandbox/pool/timekeeper.ts";
import type { ReplayableStart } from "../../schemas/run/protocol.ts";
import type { Step, StepOf } from "../../schemas/run/durable-run.ts";

/** What the script of a run hears: an answer or a timer. */
export type HeardStep = StepOf<"reply"> | StepOf<"fire">;

export interface LiveTime {
  timekeeper: Timekeeper;
  /** Whether the script is where it was: what it does from here on is new. */
  isNew(): boolean;
  /** Whether the script waits, and has heard all that it can. */
  isIdle(): boolean;
  /** In how many milliseconds the first of its timers is due. */
  nextTimer(): number | undefined;
  /** Milliseconds since the script has heard something new, or has begun. */
  workedMs(): number;
}

export interface LiveTimeOptions {
  start: ReplayableStart;
  /** Milliseconds of the script's clock: a clock that is never set. */
  elapsed: () => number;
  /** Whether the script has run before, up to some point. */
  isResumed: boolean;
  /** What it has heard before. */
  heard: readonly HeardStep[];
  /** Makes the step of an answer that the script is about to hear. */
  toReply(call: number, replyJson: string, timeMs: number): StepOf<"reply">;
  /** Keeps what the script is about to hear. It hears nothing that is not kept. */
  keep(steps: readonly Step[]): Promise<void>;
  /** Called when the script waits, or hears something. */
  onChange(): void;
  /** The script waits for something else than what it has heard before: its program has taken another way. */
  onStandstill(expected: string): void;
  /** What it hears cannot be kept. */
  onFailure(error: unknown): void;
}

/** Lets a script hear again what it has heard, in the same order and at the same times of its clock, and then what happens. */
export function makeLiveTime(options: LiveTimeOptions): LiveTime {
  const time = new HeardAgain(options);
  return {
    timekeeper: {
      start: options.start,
      begin: (wire) => time.begin(wire),
      onCall() {},
      onReply: (id, replyJson) => time.onReply(id, replyJson),
      onFrame: (frame) => time.onFrame(frame),
      close: () => time.close(),
    },
    isNew: () => time.hasCaughtUp,
    isIdle: () => time.isIdle(),
    nextTimer: () => time.nextTimer(),
    workedMs: () => time.workedMs(),
  };
}

/** What a script is about to hear, at that time of its clock. */
type MakeStep = (timeMs: number) => HeardStep;

class HeardAgain {
  /** Whether the script is where it was: until then its timers run from the times at which it has set them before. */
  hasCaughtUp: boolean;
  readonly #options: LiveTimeOptions;
  readonly #recorded: ReadonlySet<number>;
  /** The recorded answers whose call has been made again. */
  readonly #ready = new Set<number>();
  readonly #timersSet = new Set<number>();
  /** Timers that have not fired: when they are due by the script's clock. */
  readonly #timers = new Map<number, { dueMs: number; timeout?: NodeJS.Timeout }>();
  readonly #waiting: MakeStep[] = [];
  readonly #begunAt = performance.now();
  #wire: RunWire | undefined;
  /** How much of what was heard has been heard again. */
  #next = 0;
  #delivered = 0;
  #lastMs = 0;
  #lastHeardAt = this.#begunAt;
  #isAtRest = false;
  #isKeeping = false;
  #isClosed = false;

  constructor(options: LiveTimeOptions) {
    this.#options = options;
    this.hasCaughtUp = !options.isResumed;
    this.#recorded = new Set(options.heard.flatMap((step) => (step.kind === "reply" ? [step.call] : [])));
  }

  begin(wire: RunWire): void {
    this.#wire = wire;
  }

  onReply(id: number, replyJson: string): void {
    if (!this.#recorded.has(id)) return this.#hear((timeMs) => this.#options.toReply(id, replyJson, timeMs));
    this.#ready.add(id);
    this.#deliverRecorded();
  }

  onFrame(frame: TimeFrame): boolean {
    this.#isAtRest = false;
    if (frame.type === "idle") this.#onIdle(frame.handled);
    else if (frame.type === "stopTimer") this.#stopTimer(frame.id);
    else return this.#setTimer(frame.id, frame.delayMs);
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const { timeout } of this.#timers.values()) clearTimeout(timeout);
  }

  isIdle(): boolean {
    return this.#isAtRest && this.#isLive() && this.#waiting.length === 0 && !this.#isKeeping;
  }

  nextTimer(): number | undefined {
    if (this.#timers.size === 0) return undefined;
    return Math.min(...[...this.#timers.values()].map(({ dueMs }) => dueMs)) - this.#now();
  }

  workedMs(): number {
    return this.#lastHeardAt - this.#begunAt;
  }

  /** By the script's clock, which never goes back. */
  #now(): number {
    return Math.max(this.#lastMs, this.#options.elapsed());
  }

  #isLive(): boolean {
    return this.#next >= this.#options.heard.length;
  }

  #deliver(step: HeardStep): void {
    this.#lastMs = step.timeMs;
    this.#delivered += 1;
    this.#isAtRest = false;
    const { timeMs } = step;
    if (step.kind === "reply") this.#wire?.send({ type: "reply", id: step.call, timeMs }, step.replyJson);
    else {
      this.#timers.delete(step.timer);
      this.#wire?.send({ type: "fire", id: step.timer, timeMs }, "");
    }
  }

  /** Up to what cannot be heard yet; then what is new. */
  #deliverRecorded(): void {
    const { heard } = this.#options;
    for (let step = heard[this.#next]; step !== undefined; step = heard[this.#next]) {
      const isPossible = step.kind === "reply" ? this.#ready.has(step.call) : this.#timersSet.has(step.timer);
      if (!isPossible) return;
      this.#next += 1;
      this.#deliver(step);
    }
    for (const id of this.#timers.keys()) this.#startTimer(id);
    void this.#deliverNew();
  }

  #hear(make: MakeStep): void {
    this.#waiting.push(make);
    this.#isAtRest = false;
    void this.#deliverNew();
  }

  /** What happens meanwhile is kept together, and heard in that order. */
  async #deliverNew(): Promise<void> {
    if (this.#isKeeping || !this.#isLive() || this.#waiting.length === 0 || this.#isClosed) return;
    this.#isKeeping = true;
    try {
      const steps = this.#waiting.splice(0).map((make) => {
        const step = make(this.#now());
        this.#lastMs = step.timeMs;
        return step;
      });
      await this.#options.keep(steps);
      this.#lastHeardAt = performance.now();
      if (!this.#isClosed) for (const step of steps) this.#deliver(step);
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#isKeeping = false;
    }
    this.#options.onChange();
    void this.#deliverNew();
  }

  #setTimer(id: number, delayMs: number): boolean {
    if (delayMs > MAX_DELAY_MS || this.#timers.size >= MAX_TIMERS || this.#timersSet.has(id)) return false;
    const nowMs = this.hasCaughtUp ? this.#now() : this.#lastMs;
    this.#timersSet.add(id);
    this.#timers.set(id, { dueMs: nowMs + delayMs });
    if (this.#isLive()) this.#startTimer(id);
    else this.#deliverRecorded();
    return true;
  }

  #startTimer(id: number): void {
    const timer = this.#timers.get(id);
    if (timer === undefined || timer.timeout !== undefined) return;
    const { dueMs } = timer;
    const fire = (): void => this.#hear((timeMs) => ({ kind: "fire", timer: id, timeMs: Math.max(timeMs, dueMs) }));
    timer.timeout = setTimeout(fire, Math.max(0, dueMs - this.#now()));
  }

  #stopTimer(id: number): void {
    clearTimeout(this.#timers.get(id)?.timeout);
    this.#timers.delete(id);
  }

  /** The script waits, and has handled so many of the events that it was sent. */
  #onIdle(handled: number): void {
    if (handled !== this.#delivered) return;
    if (this.#isLive()) {
      this.hasCaughtUp = true;
      this.#isAtRest = true;
      return this.#options.onChange();
    }
    // What it has called a moment ago is answered by then.
    const next = this.#next;
    setImmediate(() => {
      const expected = this.#options.heard[next];
      if (expected === undefined || this.#next !== next || handled !== this.#delivered || this.#isClosed) return;
      this.#options.onStandstill(expected.kind === "reply" ? `call ${expected.call}` : `timer ${expected.timer}`);
    });
  }
}
