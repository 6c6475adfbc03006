/** Watches how long something is unused. */
export interface IdleWatch {
  /** Begins a use; the function ends it. */
  use(): () => void;
  stop(): void;
}

/** Calls `onIdle` once, when there was no use for so long. */
export function watchIdleness(idleMs: number, onIdle: () => void): IdleWatch {
  let uses = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const wait = (): void => {
    if (!isStopped) timer = setTimeout(onIdle, idleMs).unref();
  };
  wait();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    use() {
      uses += 1;
      clearTimeout(timer);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        uses -= 1;
        if (uses === 0) wait();
      };
    },
  };
}
