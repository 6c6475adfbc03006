import type { Ending } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import type { RunWire, TimeFrame, Timekeeper } from "../../runtime/sandbox/pool/timekeeper.ts";
import type { ReplayableStart } from "../../schemas/run/protocol.ts";
import type { Step, StepOf } from "../../engine/run/durable-extra.ts";

/** Timers that may wait at one time, and the longest delay that they have, as in the sandbox. */
const MAX_TIMERS = 10_000;
const MAX_DELAY_MS = 0x7fff_ffff;

/** What the script of a run hears: an answer or a timer. */
export type HeardStep = StepOf<"reply"> | StepOf<"fire">;

export interface LiveTime {
  timekeeper: Timekeeper;
  /** Whether the script is where it was: what it does from here on is new. */
  isNew(): boolean;
  /** Whether the script waits, and has heard all that it can. */
  isIdle(): boolean;
  /** When the first of its timers is due, in milliseconds since the epoch. */
  nextTimer(): number | undefined;
  /** Milliseconds since the script has heard something new, or has begun. */
  workedMs(): number;
}

export interface LiveTimeOptions {
  start: ReplayableStart;
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
  const { start, heard, keep, onChange } = options;
  const recorded = new Map(heard.flatMap((step) => (step.kind === "reply" ? [[step.call, step]] : [])));
  const readyReplies = new Set<number>();
  const setTimers = new Set<number>();
  /** Those that have not fired: when they are due by the script's clock. */
  const timers = new Map<number, { dueMs: number; timeout?: NodeJS.Timeout }>();
  const waiting: ((timeMs: number) => HeardStep)[] = [];
  const begunAt = performance.now();
  let wire: RunWire | undefined;
  let next = 0;
  let lastMs = 0;
  let delivered = 0;
  let isIdle = false;
  /** Whether the script is where it was: until then its timers run from the times at which it has set them before. */
  let hasCaughtUp = !options.isResumed;
  let isKeeping = false;
  let hasClosed = false;
  let lastHeardAt = begunAt;

  const elapsed = (): number => Date.now() - start.timeMs;
  const isLive = (): boolean => next >= heard.length;

  const deliver = (step: HeardStep): void => {
    lastMs = step.timeMs;
    delivered += 1;
    isIdle = false;
    if (step.kind === "reply") wire?.send({ type: "reply", id: step.call, timeMs: step.timeMs }, step.replyJson);
    else wire?.send({ type: "fire", id: step.timer, timeMs: step.timeMs }, "");
    if (step.kind === "fire") timers.delete(step.timer);
  };
  /** Up to what cannot be heard yet; then what is new. */
  const deliverRecorded = (): void => {
    for (let step = heard[next]; step !== undefined; step = heard[next]) {
      const isPossible = step.kind === "reply" ? readyReplies.has(step.call) : setTimers.has(step.timer);
      if (!isPossible) return;
      next += 1;
      deliver(step);
    }
    for (const id of timers.keys()) startTimer(id);
    void deliverLive();
  };
  /** What happens meanwhile is kept together, and heard in that order. */
  const deliverLive = async (): Promise<void> => {
    if (isKeeping || !isLive() || waiting.length === 0 || hasClosed) return;
    isKeeping = true;
    try {
      const steps = waiting.splice(0).map((make) => {
        const step = make(Math.max(lastMs, elapsed()));
        lastMs = step.timeMs;
        return step;
      });
      await keep(steps);
      lastHeardAt = performance.now();
      if (!hasClosed) steps.forEach(deliver);
    } catch (error) {
      options.onFailure(error);
    } finally {
      isKeeping = false;
    }
    onChange();
    void deliverLive();
  };
  const hear = (make: (timeMs: number) => HeardStep): void => {
    waiting.push(make);
    isIdle = false;
    void deliverLive();
  };
  const startTimer = (id: number): void => {
    const timer = timers.get(id);
    if (timer === undefined || timer.timeout !== undefined || !isLive()) return;
    const { dueMs } = timer;
    const fire = (): void => hear((timeMs) => ({ kind: "fire", timer: id, timeMs: Math.max(timeMs, dueMs) }));
    timer.timeout = setTimeout(fire, Math.max(0, dueMs - elapsed()));
  };
  const stopTimer = (id: number): void => {
    clearTimeout(timers.get(id)?.timeout);
    timers.delete(id);
  };
  const onIdle = (handled: number): void => {
    if (handled !== delivered) return;
    if (isLive()) {
      hasCaughtUp = true;
      isIdle = true;
      return onChange();
    }
    // What it has called a moment ago is answered by then.
    const waitsFor = next;
    setImmediate(() => {
      const expected = heard[next];
      if (expected === undefined || next !== waitsFor || handled !== delivered || hasClosed) return;
      options.onStandstill(expected.kind === "reply" ? `call ${expected.call}` : `timer ${expected.timer}`);
    });
  };

  const timekeeper: Timekeeper = {
    start,
    begin: (ofRun) => void (wire = ofRun),
    onCall() {},
    onReply(id, replyJson) {
      if (!recorded.has(id)) return hear((timeMs) => options.toReply(id, replyJson, timeMs));
      readyReplies.add(id);
      deliverRecorded();
    },
    onFrame(frame: TimeFrame) {
      isIdle = false;
      if (frame.type === "idle") onIdle(frame.handled);
      else if (frame.type === "stopTimer") stopTimer(frame.id);
      else {
        if (frame.delayMs > MAX_DELAY_MS || timers.size >= MAX_TIMERS || setTimers.has(frame.id)) return false;
        setTimers.add(frame.id);
        timers.set(frame.id, { dueMs: (hasCaughtUp ? Math.max(lastMs, elapsed()) : lastMs) + frame.delayMs });
        startTimer(frame.id);
        if (!isLive()) deliverRecorded();
      }
      return true;
    },
    close(_ending: Ending) {
      hasClosed = true;
      for (const { timeout } of timers.values()) clearTimeout(timeout);
    },
  };
  return {
    timekeeper,
    isNew: () => hasCaughtUp,
    isIdle: () => isIdle && isLive() && waiting.length === 0 && !isKeeping,
    nextTimer: () => (timers.size === 0 ? undefined : start.timeMs + Math.min(...[...timers.values()].map(({ dueMs }) => dueMs))),
    workedMs: () => lastHeardAt - begunAt,
  };
}
