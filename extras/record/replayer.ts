import {
  type RecordedCall,
  type RecordedEnding,
  type Recording,
  wasCutOff,
  type RecordedEvent,
} from "../../schemas/run/recording.ts";
import { isHostSubject } from "../../runtime/sandbox/pool/host-subjects.ts";
import type { Ending } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { parseForeignJson } from "../../schemas/json/foreign-json.ts";
import type { RunWire, Timekeeper } from "../../runtime/sandbox/pool/timekeeper.ts";
import type { ForeignCall, ToolCallDispatcher } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { compareCall, type Divergence, nameOf } from "./divergence.ts";
import { toRecordedEnding } from "./recorder.ts";
import type { HostHeader } from "../../schemas/run/protocol.ts";

/**
 * Takes the part of servers and time in a replay. With `acceptsInputs`, a call with another input than the recorded one gets the recorded reply
 * all the same.
 */
export function makeReplayer(recording: Recording, acceptsInputs: boolean) {
  const calls: RecordedCall[] = [];
  const changes: Divergence[] = [];
  let divergence: Divergence | undefined;
  let ending: RecordedEnding = "broken";
  let wire: RunWire | undefined;

  const diverge = (found: Divergence): void => {
    divergence ??= found;
    wire?.end({ kind: "stopped" });
  };
  const events = makeReplayedEvents(recording.events, (header, body) => wire?.send(header, body));

  const accept = (call: ForeignCall, reply: (replyJson: string) => void): boolean => {
    const number = calls.length + 1;
    const made = toRecordedCall(call);
    const recorded = recording.calls[number - 1];
    if (recorded === undefined) {
      if (recording.ending === "maxToolCalls") return false;
      const name = nameOf(made);
      diverge({ place: `call ${number} (${name})`, expected: "no further call", received: `a call of ${name}` });
      return true;
    }
    const change = compareCall(number, recorded, made);
    if (change !== undefined && (!acceptsInputs || change.pointer === undefined)) {
      diverge(change);
      return true;
    }
    if (change !== undefined) changes.push(change);
    calls.push({ ...recorded, input: made.input });
    if (recorded.reply !== undefined) reply(JSON.stringify(recorded.reply));
    return true;
  };

  /** Nothing more will happen by itself. */
  const onStandstill = (): void => {
    if (wasCutOff(recording.ending)) return wire?.end(toEnding(recording.ending));
    diverge({
      place: "the end",
      expected: `the run to end with ${recording.ending === "result" ? "a result" : recording.ending}`,
      received: "a script that waits for something which is not in the recording",
    });
  };

  const timekeeper: Timekeeper = {
    start: recording.start,
    begin: (ofRun) => void (wire = ofRun),
    onCall() {},
    onReply: (id, replyJson) => events.addReply(id, replyJson),
    onFrame(frame) {
      if (frame.type === "timer") events.addTimer(frame.id, frame.delayMs);
      else if (frame.type === "stopTimer") events.stopTimer(frame.id);
      else if (!events.goOn(frame.handled, !wasCutOff(recording.ending))) onStandstill();
      return true;
    },
    close(reached) {
      ending = toRecordedEnding(reached);
    },
  };
  const isTraced = ({ serverId }: RecordedCall): boolean => !isHostSubject(serverId);
  const dispatcher: ToolCallDispatcher = {
    accept,
    close() {},
    waiting: () => [],
    trace: () => recording.answer.toolTrace.slice(0, calls.filter(isTraced).length),
  };
  return {
    dispatcher,
    timekeeper,
    /** The calls that were made, with the inputs of this time and the replies of the recording. */
    calls,
    /** What the script heard. */
    events: events.delivered,
    /** Calls whose input is not the recorded one; the first of them has ended the run, unless they are accepted. */
    changes,
    /** Where the run was ended because it could not go on as recorded. */
    divergence: () => divergence,
    ending: () => ending,
  };
}

function toRecordedCall({ serverId, toolName, inputJson }: ForeignCall): RecordedCall {
  return { serverId, toolName, input: toRecordedInput(inputJson), startMs: 0 };
}

/** The input of a call; where it is no JSON, which no binding sends, its text. */
export function toRecordedInput(inputJson: string): RecordedCall["input"] {
  return parseForeignJson(inputJson) ?? inputJson;
}

function toEnding(ending: RecordedEnding): Ending {
  if (ending === "broken") return { kind: "broken", reason: "it did when it was recorded" };
  return ending === "timeoutMs" || ending === "maxMemoryBytes"
    ? { kind: "limit", limit: ending }
    : { kind: "cancelled" };
}

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
