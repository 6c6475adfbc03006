import type { RecordedEnding, RecordedEvent } from "../../schemas/run/recording.ts";
import type { Ending } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { takeRandomWords } from "../../runtime/sandbox/pool/random-words.ts";
import {
  MAX_DELAY_MS,
  MAX_TIMERS,
  type RunWire,
  type TimeFrame,
  type Timekeeper,
} from "../../runtime/sandbox/pool/timekeeper.ts";

/** The most that is kept of one run: characters of inputs and replies, and events. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
const MAX_EVENTS = 1_000_000;

/** A call, still as the texts that crossed the wire. */
interface HeardCall {
  serverId: string;
  toolName: string;
  inputJson: string;
  startMs: number;
  endMs?: number;
  replyJson?: string;
}

/** Lets a run happen in real time, gives each thing that its script hears the time of its clock, and writes it down. */
export function makeRecorder() {
  const calls: HeardCall[] = [];
  const events: RecordedEvent[] = [];
  const timers = new Map<number, NodeJS.Timeout>();
  let wire: RunWire | undefined;
  let startedAt = 0;
  let lastMs = 0;
  let characters = 0;
  let ending: RecordedEnding = "broken";

  const elapsed = (): number => Math.floor(performance.now() - startedAt);
  const isTooLarge = (): boolean => characters > MAX_CHARACTERS || events.length > MAX_EVENTS;
  /** The script's clock never goes back, and shows a timer's time when it fires. */
  const advance = (atLeastMs: number): number => (lastMs = Math.max(lastMs, elapsed(), atLeastMs));

  const startTimer = (id: number, delayMs: number): void => {
    const dueMs = elapsed() + delayMs;
    const fire = (): void => {
      timers.delete(id);
      const timeMs = advance(dueMs);
      if (!isTooLarge()) events.push({ timeMs, timer: id });
      wire?.send({ type: "fire", id, timeMs }, "");
    };
    timers.set(id, setTimeout(fire, delayMs));
  };
  const stopTimer = (id: number): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };

  const timekeeper: Timekeeper = {
    start: { timeMs: Date.now(), seed: takeRandomWords(4) },
    begin(ofRun) {
      wire = ofRun;
      startedAt = performance.now();
    },
    onCall(_id, { serverId, toolName, inputJson }) {
      characters += inputJson.length;
      calls.push({
        serverId,
        toolName,
        inputJson: isTooLarge() ? "" : inputJson,
        startMs: Math.max(lastMs, elapsed()),
      });
    },
    onReply(id, replyJson) {
      const timeMs = advance(0);
      const call = calls[id - 1];
      characters += replyJson.length;
      if (call !== undefined && !isTooLarge()) {
        Object.assign(call, { endMs: timeMs, replyJson });
        events.push({ timeMs, call: id });
      }
      wire?.send({ type: "reply", id, timeMs }, replyJson);
    },
    onFrame(frame: TimeFrame) {
      if (frame.type === "stopTimer") stopTimer(frame.id);
      if (frame.type !== "timer") return true;
      if (frame.delayMs > MAX_DELAY_MS || timers.size >= MAX_TIMERS || timers.has(frame.id)) return false;
      startTimer(frame.id, frame.delayMs);
      return true;
    },
    close(reached: Ending) {
      for (const timeout of timers.values()) clearTimeout(timeout);
      timers.clear();
      ending = toRecordedEnding(reached);
    },
  };
  return {
    timekeeper,
    calls,
    events,
    ending: () => ending,
    /** Whether there was more than can be kept: then the recording is of no use. */
    isTooLarge,
  };
}

/** The ending as a recording names it. */
export function toRecordedEnding(ending: Ending): RecordedEnding {
  if (ending.kind === "limit") return ending.limit;
  return ending.kind === "stopped" || ending.kind === "host-memory" ? "broken" : ending.kind;
}
