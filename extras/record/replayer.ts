import { type RecordedCall, type RecordedEnding, type Recording, wasCutOff } from "../../schemas/run/recording.ts";
import { isHostSubject } from "../../runtime/sandbox/pool/host-subjects.ts";
import type { Ending } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { parseForeignJson } from "../../runtime/sandbox/pool/frames.ts";
import type { RunWire, Timekeeper } from "../../runtime/sandbox/pool/timekeeper.ts";
import type { ForeignCall, ToolCallDispatcher } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { compareCall, type Divergence, nameOf } from "./divergence.ts";
import { toRecordedEnding } from "./recorder.ts";
import { makeReplayedEvents } from "./replayed-events.ts";

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
