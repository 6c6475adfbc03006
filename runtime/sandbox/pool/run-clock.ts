import { startPausableTimer, type PausableTimer } from "@codemode/runtime/connections/pausable-timer";

/** The time of one run, which stands still while a person is asked. */
export interface RunClock {
  /** Starts the time. Returns what ends it. */
  start(limitMs: number, onEnd: () => void): () => void;
  /** Stops the time until the returned function is called. */
  hold(): () => void;
}

export function makeRunClock(): RunClock {
  let timer: PausableTimer | undefined;
  return {
    start(limitMs, onEnd) {
      const started = startPausableTimer(limitMs, onEnd);
      timer = started;
      return () => started.stop();
    },
    hold: () => timer?.hold() ?? (() => undefined),
  };
}
