import type { Bridge } from "../../../../schemas/run/bridge.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { decodeText, findEncoding, forgetStreams, utf8Length } from "./text-decoding.ts";
import type { HostTimers } from "./timers.ts";
import { useUtc } from "./time-zone.ts";
import { changeUrl, formatQuery, parseQuery, parseUrl } from "./url-parsing.ts";

// Taken before the globals go: later realms get a bridge of their own.
const { setPrototypeOf } = Object;

/** Gathers what the guest realm may ask of the main realm. */
export function makeBridge(
  send: (header: string, body?: string) => void,
  timers: Pick<HostTimers, "start" | "stop">,
): Bridge {
  const bridge: Bridge = {
    send,
    startTimer: timers.start,
    stopTimer: timers.stop,
    useUtc,
    parseUrl: orUndefined(parseUrl),
    changeUrl: orUndefined(changeUrl),
    parseQuery: orUndefined(parseQuery),
    formatQuery: orUndefined(formatQuery),
    decodeBase64: orUndefined(decodeBase64),
    encodeBase64: orUndefined(encodeBase64),
    findEncoding: orUndefined(findEncoding),
    decodeText: orUndefined(decodeText),
    utf8Length,
    forgetStreams,
  };
  return setPrototypeOf(bridge, null) as Bridge;
}

/** Keeps the errors of this realm in this realm. */
function orUndefined<Args extends unknown[], Result>(
  ask: (...args: Args) => Result,
): (...args: Args) => Result | undefined {
  return (...args) => {
    try {
      return ask(...args);
    } catch {
      return undefined;
    }
  };
}
