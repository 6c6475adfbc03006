/** Requests a flush at a rate that suits a reader. */
export interface Pacer {
  /** There is something to flush: at once, or when the pause since the last flush is over. */
  touch(): void;
  /** Flushes what is left, and never again. */
  end(): void;
}

/**
 * Makes a pacer. The next flush waits for the pause and for the one before it, so that nothing piles up where a reader is slow.
 *
 * @param flush writes synchronously what there is; settles when it is written, and never rejects
 */
export function makePacer(pauseMs: number, flush: () => Promise<void>): Pacer {
  let isDue = false;
  let isPausing = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    isDue = false;
    isPausing = true;
    const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, pauseMs)));
    await Promise.all([flush(), pause]);
    isPausing = false;
    if (isDue && !isEnded) void run();
  };
  return {
    touch() {
      if (isEnded) return;
      if (isPausing) isDue = true;
      else void run();
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      if (isDue) void flush();
    },
  };
}
