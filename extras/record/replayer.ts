import { isHostSubject } from "../../runtime/sandbox/pool/host-subjects.ts";
import { type Ending, toRecordedEnding } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { Player } from "../../runtime/sandbox/pool/player.ts";
import type { ForeignCall, ToolCallDispatcher } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import {
  compareCalls,
  type Divergence,
  isSameButRedacted,
  nameOfCall,
  toRecordedInput,
} from "../../schemas/run/compare-calls.ts";
import {
  type RecordedCall,
  type RecordedEnding,
  type RecordedEvent,
  type Recording,
  wasCutOff,
} from "../../schemas/run/recording.ts";

/**
 * Takes the part of servers and time in a replay. With `acceptsInputs`, a call with another input than the recorded one gets the recorded reply
 * all the same.
 */
export function makeReplayer(recording: Recording, acceptsInputs: boolean) {
  const calls: RecordedCall[] = [];
  const events: RecordedEvent[] = [];
  const changes: Divergence[] = [];
  let divergence: Divergence | undefined;
  let ending: RecordedEnding = "broken";

  const diverge = (found: Divergence): void => {
    divergence ??= found;
    timekeeper.end({ kind: "stopped" });
  };

  const accept = (call: ForeignCall, reply: (replyJson: string) => void): boolean => {
    const number = calls.length + 1;
    const recorded = recording.calls[number - 1];
    if (recorded === undefined) {
      if (recording.ending === "maxToolCalls") return false;
      const name = nameOfCall(call);
      diverge({ place: `call ${number} (${name})`, expected: "no further call", received: `a call of ${name}` });
      return true;
    }
    const change = compareCalls(number, recorded, call, isSameButRedacted);
    if (change !== undefined && (!acceptsInputs || change.pointer === undefined)) {
      diverge(change);
      return true;
    }
    if (change !== undefined) changes.push(change);
    calls.push({ ...recorded, input: toRecordedInput(call.inputJson) });
    if (recorded.reply !== undefined) reply(JSON.stringify(recorded.reply));
    return true;
  };

  /** Nothing more will happen by itself. */
  const onStandstill = (): void => {
    if (wasCutOff(recording.ending)) return timekeeper.end(toEnding(recording.ending));
    diverge({
      place: "the end",
      expected: `the run to end with ${recording.ending === "result" ? "a result" : recording.ending}`,
      received: "a script that waits for something which is not in the recording",
    });
  };

  const timekeeper = new Player({
    start: recording.start,
    history: recording.events,
    after: "nothing",
    mayFire: () => !wasCutOff(recording.ending),
    onHeard: (heard) => void events.push(heard),
    onStandstill,
    onEnd: (reached) => void (ending = toRecordedEnding(reached)),
  });
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
    events,
    /** Calls whose input is not the recorded one; the first of them has ended the run, unless they are accepted. */
    changes,
    /** Where the run was ended because it could not go on as recorded. */
    divergence: () => divergence,
    ending: () => ending,
  };
}

function toEnding(ending: RecordedEnding): Ending {
  if (ending === "broken") return { kind: "broken", reason: "it did when it was recorded" };
  return ending === "timeoutMs" || ending === "maxMemoryBytes"
    ? { kind: "limit", limit: ending }
    : { kind: "cancelled" };
}
