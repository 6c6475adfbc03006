import type { Bridge } from "../../../../schemas/run/bridge.ts";
import {
  formatFrame,
  type FireHeader,
  type ReplayableStart,
  type ReplyHeader,
} from "../../../../schemas/run/protocol.ts";
import { askBridge } from "../ask-bridge.ts";
import { assembleRealm, type ScriptRealm } from "../assemble-realm.ts";
import { gatherSharedGlobals, type StartPowers } from "../compartment.ts";
import { makeStandingClock } from "./standing-clock.ts";
import { makeSeededMath } from "./seeded-math.ts";
import { makeClockedDate } from "./clocked-date.ts";
import { makeClockedIntl } from "./clocked-intl.ts";

export interface ReplayableRealm extends ScriptRealm {
  /** Takes a frame of the host; it is handled in a turn of its own. */
  receive(header: ReplyHeader | FireHeader, body: string): void;
  /** Handles the next frame, if there is one, when everything before has come to rest. True asks for another look. */
  handleNext(): boolean;
}

/**
 * Makes a realm in which a script does the same again when it hears the same again (`ReplayableStart`).
 *
 * Frames of the host are handled one by one, with all promises settled in between, however the pipe has cut or joined them.
 */
export function assembleReplayableRealm(powers: StartPowers, bridge: Bridge, start: ReplayableStart): ReplayableRealm {
  askBridge(bridge.useUtc);
  const clock = makeStandingClock(start.timeMs);
  const send = (frame: string): void => askBridge(bridge.send, frame);
  const hostTimers: Bridge = {
    ...bridge,
    startTimer: (id, delayMs) => send(formatFrame({ type: "timer", id, delayMs: Math.floor(delayMs) })),
    stopTimer: (id) => send(formatFrame({ type: "stopTimer", id })),
  };
  const realm = assembleRealm(powers, hostTimers, {
    globals: gatherSharedGlobals(powers, {
      Date: makeClockedDate(clock),
      Intl: "Intl" in globalThis ? makeClockedIntl(clock) : undefined,
    }),
    makeMath: () => makeSeededMath(start.seed),
    clock: clock.now,
    now: clock.peek,
  });
  const { run, calls, timers } = realm;
  const waiting: { header: ReplyHeader | FireHeader; body: string }[] = [];
  let handled = 0;
  let announced = -1;

  return {
    ...realm,
    receive(header, body) {
      waiting.push({ header, body });
    },
    handleNext() {
      if (run.hasEnded()) return false;
      const next = waiting.shift();
      if (next === undefined) {
        if (announced !== handled) send(formatFrame({ type: "idle", handled }));
        announced = handled;
        return false;
      }
      const { header, body } = next;
      clock.moveTo(start.timeMs + (header.timeMs ?? 0));
      if (header.type === "reply") calls.answer(header.id, body);
      else timers.fire(header.id);
      handled += 1;
      return true;
    },
  };
}
