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
import { makeStandingClock, type StandingClock } from "./standing-clock.ts";
import { makeSeededMath } from "./seeded-math.ts";

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
    startTimer(id, delayMs) {
      const setMs = Math.floor(clock.peek() - start.timeMs);
      send(formatFrame({ type: "timer", id, delayMs: Math.floor(delayMs), setMs }));
    },
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

/**
 * `Date`, with the time of another clock. Its instances are real dates whose prototype inherits from the real one, so that
 * `date.constructor` is this class too.
 */
function makeClockedDate(clock: StandingClock): DateConstructor {
  function ClockedDate(...args: unknown[]): unknown {
    if (new.target === undefined) return new Date(clock.now()).toString();
    const given = args.length === 0 ? [clock.now()] : args;
    return Reflect.construct(Date, given, new.target as unknown as DateConstructor);
  }
  const { now } = { now: (): number => clock.now() };
  const hidden = { writable: true, enumerable: false, configurable: true };
  const prototype = Object.create(Date.prototype, { constructor: { value: ClockedDate, ...hidden } }) as object;
  Object.defineProperties(ClockedDate, {
    name: { value: "Date" },
    length: { value: Date.length },
    prototype: { value: prototype, writable: false },
    now: { value: now, ...hidden },
    parse: { value: Date.parse, ...hidden },
    UTC: { value: Date.UTC, ...hidden },
  });
  return ClockedDate as unknown as DateConstructor;
}

type Format = (date?: unknown) => unknown;

/** `Intl`, whose `DateTimeFormat` takes the time of another clock where it is given no date. */
function makeClockedIntl(clock: StandingClock): typeof Intl {
  const real = Intl.DateTimeFormat;
  const realFormat = Object.getOwnPropertyDescriptor(real.prototype, "format")?.get as () => Format;
  const orNow = (date: unknown): unknown => (date === undefined ? clock.now() : date);

  function ClockedFormat(...args: unknown[]): unknown {
    return Reflect.construct(real, args, (new.target as unknown as typeof real | undefined) ?? asFormat);
  }
  const asFormat = ClockedFormat as unknown as typeof real;
  const overriding = {
    get format(): Format {
      const format = Reflect.apply(realFormat, this, []);
      return (date) => format(orNow(date));
    },
    formatToParts(date?: unknown): unknown {
      return Reflect.apply(real.prototype.formatToParts, this, [orNow(date)]);
    },
    constructor: asFormat,
  };
  const prototype = Object.create(real.prototype, hideAll(overriding)) as object;
  Object.defineProperties(ClockedFormat, {
    name: { value: "DateTimeFormat" },
    length: { value: real.length },
    prototype: { value: prototype, writable: false },
    ...hideAll({ supportedLocalesOf: real.supportedLocalesOf }),
  });
  return Object.defineProperties(Object.create(Object.prototype) as typeof Intl, {
    ...Object.getOwnPropertyDescriptors(Intl),
    ...hideAll({ DateTimeFormat: asFormat }),
  });
}

/** Not enumerable, as the language's own members are. */
function hideAll(members: object): PropertyDescriptorMap {
  const entries = Object.entries(Object.getOwnPropertyDescriptors(members));
  return Object.fromEntries(entries.map(([name, descriptor]) => [name, { ...descriptor, enumerable: false }]));
}
