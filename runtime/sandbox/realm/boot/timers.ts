const { setTimeout, clearTimeout } = globalThis;

/** The timers of the script, by its own numbers: no timer object of Node leaves this file. */
export interface HostTimers {
  start(id: number, delayMs: number): void;
  stop(id: number): void;
  isAnyRunning(): boolean;
}

export function makeHostTimers(fire: (id: number) => void): HostTimers {
  const running = new Map<number, NodeJS.Timeout>();
  return {
    start(id, delayMs) {
      const timeout = setTimeout(() => {
        running.delete(id);
        fire(id);
      }, delayMs);
      running.set(id, timeout);
    },
    stop(id) {
      clearTimeout(running.get(id));
      running.delete(id);
    },
    isAnyRunning: () => running.size > 0,
  };
}
