/** How a command learns that it is to end. */
export interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM; `isTermination` says which. */
  signal: AbortSignal;
  interrupt(): void;
  stopListening(): void;
}

/** npm and a terminal send the same signal twice at nearly the same time. */
const SAME_SIGNAL_MS = 500;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens to the signals that end this process. One that comes when it is ending already ends it at once. */
export function makeInterruption(): Interruption {
  const interruption = new AbortController();
  let endingSince: number | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (endingSince !== undefined && performance.now() - endingSince > SAME_SIGNAL_MS) {
      process.exit(EXIT_CODES[name as keyof typeof EXIT_CODES]);
    }
    endingSince ??= performance.now();
    interruption.abort(new DOMException(name, "AbortError"));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: interruption.signal,
    interrupt: () => interruption.abort(),
    stopListening: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}

/** Whether a supervisor asked for the end, and not a person at a terminal. */
export function isTermination({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.message === "SIGTERM";
}
