/** Something that must not outlive this process. */
export interface Mortal {
  /** Ends it in its own time. */
  close(): Promise<void>;
  /** Ends it now. */
  kill(): void;
}

const living = new Set<Mortal>();

const DEADLY_SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Sees to it that it ends with this process: in peace where the process has nothing more to do, else at once. */
export function endWithProcess(mortal: Mortal): void {
  if (living.size === 0) listen();
  living.add(mortal);
}

/** It has ended by itself. */
export function hasEnded(mortal: Mortal): void {
  if (living.delete(mortal) && living.size === 0) stopListening();
}

function closeAll(): void {
  for (const mortal of living) void mortal.close();
}

function killAll(): void {
  for (const mortal of living) mortal.kill();
}

/** Where the program listens too, it decides; where we are the only ones, the signal must still be deadly. */
function onDeadlySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  stopListening();
  process.kill(process.pid, signal);
}

function listen(): void {
  process.on("beforeExit", closeAll);
  process.on("exit", killAll);
  for (const signal of DEADLY_SIGNALS) process.on(signal, onDeadlySignal);
}

function stopListening(): void {
  process.removeListener("beforeExit", closeAll);
  process.removeListener("exit", killAll);
  for (const signal of DEADLY_SIGNALS) process.removeListener(signal, onDeadlySignal);
}
