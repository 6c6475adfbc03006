import type { ReplayableStart } from "../../../schemas/run/protocol.ts";
import type { Ending } from "./ending-diagnostics.ts";
import { MAX_DELAY_MS, MAX_TIMERS, type RunWire, type TimeFrame, type Timekeeper } from "./timekeeper.ts";
import type { ForeignCall } from "./tool-call-dispatcher.ts";

/** What a script has heard: the reply to a call or a timer, at that time of its clock in milliseconds since its start. Both are counted from 1. */
export type HeardBefore = { timeMs: number; call: number; replyJson?: string } | { timeMs: number; timer: number };

/** The same of something new, with the text of the reply. */
export type Heard = { timeMs: number; call: number; replyJson: string } | { timeMs: number; timer: number };

export interface PlayerOptions {
  start: ReplayableStart;
  /** What the script has heard before, in this order; nothing unless given. */
  history?: readonly HeardBefore[];
  /**
   * What follows the history. `live`: what happens, after all of the history. `nothing`: no more; where the script is another one than the recorded one,
   * what cannot come is left out, and timers fire that never fired in the history when nothing else is left.
   */
  after: "live" | "nothing";
  /** Whether the script has run before, also where it has heard nothing: its timers run from the times at which it has set them before. */
  isResumed?: boolean;
  /** Milliseconds of the script's clock, which is never set; unless given, those since the beginning by the steady clock of this process. */
  elapsed?: () => number;
  /** Keeps what is new. The script hears it meanwhile: what it does then must be kept afterwards, before anything comes of it. */
  keep?(heard: readonly Heard[]): void | Promise<void>;
  /** What is new cannot be kept. */
  onFailure?(error: unknown): void;
  /** Called with each call, at that time of the script's clock. */
  onCall?(call: ForeignCall, timeMs: number): void;
  /** Called with all that the script hears, of the history too. */
  onHeard?(heard: HeardBefore): void;
  /** Called when the script waits, or hears something new. */
  onChange?(): void;
  /** The script waits for something that cannot come: it takes another way than before. `missing` is what it heard next then, where all of the history counts. */
  onStandstill?(missing: HeardBefore | undefined): void;
  /** Whether timers may fire that never fired in the history. */
  mayFire?(): boolean;
  onEnd?(ending: Ending): void;
}

/** What is about to be heard, at that time of the script's clock. */
type MakeHeard = (timeMs: number) => Heard;

/** Lets a script hear again what it has heard, in the same order and at the same times of its clock, and then what happens. */
export class Player implements Timekeeper {
  readonly start: ReplayableStart;
  readonly #options: PlayerOptions;
  readonly #history: HeardBefore[];
  /** The calls whose replies are in the history. */
  readonly #answered: ReadonlySet<number>;
  /** Replies that are there and not heard. */
  readonly #replies = new Map<number, string>();
  readonly #timersSet = new Set<number>();
  /** Timers that have neither fired nor been stopped: when they are due by the script's clock. */
  readonly #timers = new Map<number, { dueMs: number; timeout?: NodeJS.Timeout }>();
  /** What has happened and is not kept yet. */
  readonly #waiting: MakeHeard[] = [];
  #wire: RunWire | undefined;
  /** How much of the history was heard again. */
  #next = 0;
  #delivered = 0;
  #lastMs = 0;
  #begunAt = performance.now();
  #heardAt = this.#begunAt;
  #hasCaughtUp: boolean;
  #isAtRest = false;
  /** How often something is being kept. */
  #keeping = 0;
  #isClosed = false;

  constructor(options: PlayerOptions) {
    const { start, history = [], after, isResumed = history.length > 0 } = options;
    this.start = start;
    this.#options = options;
    this.#history = [...history];
    this.#answered = new Set(history.flatMap((heard) => ("call" in heard ? [heard.call] : [])));
    this.#hasCaughtUp = after === "live" && !isResumed;
  }

  begin(wire: RunWire): void {
    this.#wire = wire;
    this.#begunAt = this.#heardAt = performance.now();
  }

  /** Ends the run from outside. */
  end(ending: Ending): void {
    this.#wire?.end(ending);
  }

  onCall(_id: number, call: ForeignCall): void {
    this.#options.onCall?.(call, this.nowMs());
  }

  onReply(id: number, replyJson: string): void {
    if (this.#options.after === "live" && !this.#answered.has(id))
      return this.#hear((timeMs) => ({ timeMs, call: id, replyJson }));
    this.#replies.set(id, replyJson);
    this.#playOn();
  }

  onFrame(frame: TimeFrame): boolean {
    this.#isAtRest = false;
    if (frame.type === "idle") this.#onIdle(frame.handled);
    else if (frame.type === "stopTimer") this.#stopTimer(frame.id);
    else return this.#setTimer(frame);
    return true;
  }

  close(ending: Ending): void {
    this.#isClosed = true;
    for (const { timeout } of this.#timers.values()) clearTimeout(timeout);
    this.#options.onEnd?.(ending);
  }

  /** Whether the script is where it was: what it does from here on is new. */
  isNew(): boolean {
    return this.#hasCaughtUp;
  }

  /** Whether the script waits, and has heard all that it can. */
  isIdle(): boolean {
    return this.#isAtRest && this.#isLive() && this.#waiting.length === 0 && this.#keeping === 0;
  }

  /** In how many milliseconds the first of its timers is due. */
  nextTimer(): number | undefined {
    if (this.#timers.size === 0) return undefined;
    return Math.min(...[...this.#timers.values()].map(({ dueMs }) => dueMs)) - this.nowMs();
  }

  /** By the script's clock, which never goes back. */
  nowMs(): number {
    const { elapsed = () => Math.floor(performance.now() - this.#begunAt) } = this.#options;
    return Math.max(this.#lastMs, elapsed());
  }

  /** Milliseconds until the script has heard the last new thing, since it has begun. */
  workedMs(): number {
    return this.#heardAt - this.#begunAt;
  }

  #isLive(): boolean {
    return this.#options.after === "live" && this.#next >= this.#history.length;
  }

  #isPossible(heard: HeardBefore): boolean {
    // A timer that was stopped may have fired before the host knew.
    return "call" in heard ? this.#replies.has(heard.call) : this.#timersSet.has(heard.timer);
  }

  #deliver(heard: HeardBefore): void {
    const timeMs = (this.#lastMs = Math.max(this.#lastMs, heard.timeMs));
    this.#delivered += 1;
    this.#isAtRest = false;
    this.#options.onHeard?.({ ...heard, timeMs });
    if ("timer" in heard) {
      this.#timers.delete(heard.timer);
      return this.#wire?.send({ type: "fire", id: heard.timer, timeMs }, "");
    }
    const replyJson = heard.replyJson ?? this.#replies.get(heard.call) ?? "";
    this.#replies.delete(heard.call);
    this.#wire?.send({ type: "reply", id: heard.call, timeMs }, replyJson);
  }

  /** What can be heard of the history, as early as it can: the sandbox handles each in its turn. Then what is new. */
  #playOn(): void {
    for (let heard = this.#history[this.#next]; heard && this.#isPossible(heard); heard = this.#history[this.#next]) {
      this.#next += 1;
      this.#deliver(heard);
    }
    this.#keepOn();
  }

  #timersInOrder(): [number, { dueMs: number }][] {
    return [...this.#timers].toSorted(([, one], [, other]) => one.dueMs - other.dueMs);
  }

  #hear(make: MakeHeard): void {
    this.#waiting.push(make);
    this.#isAtRest = false;
    this.#keepOn();
  }

  #keepOn(): void {
    if (!this.#isLive() || this.#waiting.length === 0 || this.#isClosed) return;
    const heard = this.#waiting.splice(0).map((make) => {
      const made = make(this.nowMs());
      this.#lastMs = made.timeMs;
      return made;
    });
    const kept = this.#options.keep?.(heard);
    if (kept !== undefined) void this.#follow(kept);
    this.#deliverNew(heard);
  }

  async #follow(kept: Promise<void>): Promise<void> {
    this.#keeping += 1;
    try {
      await kept;
    } catch (error) {
      this.#options.onFailure?.(error);
    } finally {
      this.#keeping -= 1;
    }
    this.#options.onChange?.();
  }

  #deliverNew(all: readonly Heard[]): void {
    this.#heardAt = performance.now();
    if (!this.#isClosed) for (const heard of all) this.#deliver(heard);
  }

  #setTimer({ id, delayMs, setMs }: TimeFrame & { type: "timer" }): boolean {
    if (delayMs > MAX_DELAY_MS || this.#timers.size >= MAX_TIMERS || this.#timersSet.has(id)) return false;
    // The script may be behind: it handles one after the other what was sent at once.
    const nowMs = this.#hasCaughtUp ? this.nowMs() : Math.min(setMs, this.#lastMs);
    this.#timersSet.add(id);
    this.#timers.set(id, { dueMs: nowMs + delayMs });
    if (this.#hasCaughtUp) this.#startTimer(id);
    else this.#playOn();
    return true;
  }

  #startTimer(id: number): void {
    const timer = this.#timers.get(id);
    if (timer === undefined || timer.timeout !== undefined) return;
    const { dueMs } = timer;
    const fire = (): void => this.#hear((timeMs) => ({ timeMs: Math.max(timeMs, dueMs), timer: id }));
    timer.timeout = setTimeout(fire, Math.max(0, dueMs - this.nowMs()));
  }

  #stopTimer(id: number): void {
    clearTimeout(this.#timers.get(id)?.timeout);
    this.#timers.delete(id);
  }

  /** The script waits, and has handled so many of the events that it was sent. */
  #onIdle(handled: number): void {
    if (handled !== this.#delivered) return;
    if (this.#options.after === "nothing") return this.#goOn();
    if (this.#isLive()) {
      // Not before: overdue timers fire by their time, and one that the script stops does not fire.
      if (!this.#hasCaughtUp) for (const [id] of this.#timersInOrder()) this.#startTimer(id);
      this.#hasCaughtUp = true;
      this.#isAtRest = true;
      return this.#options.onChange?.();
    }
    // What it has called a moment ago is answered by then.
    const next = this.#next;
    setImmediate(() => {
      if (this.#next !== next || handled !== this.#delivered || this.#isClosed) return;
      this.#options.onStandstill?.(this.#history[next]);
    });
  }

  /** Another script than the recorded one waits: what is possible next comes, though something before it is not; else the earliest timer. */
  #goOn(): void {
    const { onStandstill, mayFire = () => true } = this.#options;
    const at = this.#history.findIndex((heard, index) => index >= this.#next && this.#isPossible(heard));
    const [heard] = at < 0 ? [] : this.#history.splice(at, 1);
    const [first] = heard === undefined && mayFire() ? this.#timersInOrder() : [];
    if (heard !== undefined) this.#deliver(heard);
    else if (first !== undefined) this.#deliver({ timeMs: first[1].dueMs, timer: first[0] });
    else return onStandstill?.(undefined);
    this.#playOn();
  }
}
