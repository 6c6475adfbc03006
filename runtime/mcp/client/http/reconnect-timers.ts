import { SdkHttpError } from "@modelcontextprotocol/client";

/** An answer whose stream broke is waited for this long in vain: 0.3, 0.6 and 1.2 s, unless the server says otherwise. */
const RECONNECTION = {
  initialReconnectionDelay: 300,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 3,
};

/** Notifications may come at any time: their stream is tried again as long as the connection lives. */
const TRY_AGAIN_AFTER_MS = 10_000;

export type ReconnectTimers = ReturnType<typeof makeReconnectTimers>;

/** Timers for broken streams that keep no process alive and can all be ended; the SDK's own forget all but the last. */
export function makeReconnectTimers() {
  const timers = new Set<NodeJS.Timeout>();

  function schedule(action: () => void, delayMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, delayMs).unref();
    timers.add(timer);
  }

  return {
    /** For the SDK's transport. */
    reconnection: {
      reconnectionOptions: RECONNECTION,
      reconnectionScheduler: (reconnect: () => void, delayMs: number) => schedule(reconnect, delayMs),
    },

    /** Whether the SDK has just given up a stream. */
    hasGivenUp: (error: Error) => error.message.startsWith("Maximum reconnection attempts"),

    /** Opens the stream for notifications until it is open, or the server says that it has none or one already. */
    openLater(open: () => Promise<void>): void {
      const tryToOpen = (): void => {
        open().catch((error: unknown) => {
          if (!(error instanceof SdkHttpError)) schedule(tryToOpen, TRY_AGAIN_AFTER_MS);
        });
      };
      schedule(tryToOpen, TRY_AGAIN_AFTER_MS);
    },

    clear: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}
