import type { HostHeader } from "../../schemas/run/protocol.ts";
import type { RecordedEvent } from "../../schemas/run/recording.ts";

/**
 * Says again what a script heard, in the recorded order and with the recorded times. An event is delivered as soon as it can be: the sandbox
 * handles each in its turn, however early it comes.
 */
export function makeReplayedEvents(
  recorded: readonly RecordedEvent[],
  send: (header: HostHeader, body: string) => void,
) {
  let waiting = recorded;
  let next = 0;
  let nowMs = 0;
  const delivered: RecordedEvent[] = [];
  const replies = new Map<number, string>();
  const firing = new Set(recorded.flatMap((event) => ("timer" in event ? [event.timer] : [])));
  /** When each is due. A stopped timer may still be reported: in the recording it fired before the host knew. */
  const timers = new Map<number, { dueMs: number; isStopped: boolean }>();

  const deliver = (event: RecordedEvent): void => {
    nowMs = Math.max(nowMs, event.timeMs);
    const timeMs = nowMs;
    delivered.push({ ...event, timeMs });
    if ("call" in event) {
      send({ type: "reply", id: event.call, timeMs }, replies.get(event.call) ?? "");
      replies.delete(event.call);
    } else {
      send({ type: "fire", id: event.timer, timeMs }, "");
      timers.delete(event.timer);
    }
  };
  const canDeliver = (event: RecordedEvent): boolean =>
    "call" in event ? replies.has(event.call) : timers.has(event.timer);
  const deliverAll = (): void => {
    for (let event = waiting[next]; event !== undefined && canDeliver(event); event = waiting[next]) {
      next += 1;
      deliver(event);
    }
  };
  /** The first event that is possible though one before it is not. */
  const skipTo = (): RecordedEvent | undefined => {
    const rest = waiting.slice(next);
    const possible = rest.findIndex(canDeliver);
    if (possible < 0) return undefined;
    waiting = rest.toSpliced(possible, 1);
    next = 0;
    return rest[possible];
  };
  const earliestTimer = (): RecordedEvent | undefined => {
    const running = [...timers].filter(([, { isStopped }]) => !isStopped);
    const [first] = running.toSorted(([, left], [, right]) => left.dueMs - right.dueMs);
    return first === undefined ? undefined : { timeMs: first[1].dueMs, timer: first[0] };
  };

  return {
    delivered,
    /** The reply to a call can be delivered from now on. */
    addReply(call: number, replyJson: string): void {
      replies.set(call, replyJson);
      deliverAll();
    },
    /** A timer can fire from now on. */
    addTimer(timer: number, delayMs: number): void {
      timers.set(timer, { dueMs: nowMs + delayMs, isStopped: false });
      deliverAll();
    },
    stopTimer(timer: number): void {
      const known = timers.get(timer);
      if (!firing.has(timer)) timers.delete(timer);
      else if (known !== undefined) known.isStopped = true;
    },
    /**
     * The script waits, and has handled so many events. Where it is another script than the recorded one, its timers may be others: then what
     * is not in their way comes first, and timers that never fired in the recording fire when nothing else is left, if they may. False
     * where nothing can happen any more.
     */
    goOn(handled: number, mayFire: boolean): boolean {
      if (handled !== delivered.length) return true; // It has not heard the last of it yet.
      const event = skipTo() ?? (mayFire ? earliestTimer() : undefined);
      if (event === undefined) return false;
      deliver(event);
      deliverAll();
      return true;
    },
  };
}
