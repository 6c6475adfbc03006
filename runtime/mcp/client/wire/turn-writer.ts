import type { Writable } from "node:stream";

/** Writes to a pipe. False where it is full. */
export type WriteInTurn = (data: string | Uint8Array, onSent?: () => void) => boolean;

/** Makes a writer that sends the first data of a turn of the event loop at once, and all other data of it with one system call. */
export function makeTurnWriter(pipe: Writable): WriteInTurn {
  let isGathering = false;
  const flush = (): void => {
    isGathering = false;
    pipe.uncork();
  };
  return (data, onSent) => {
    const hasRoom = pipe.write(data, onSent);
    if (!isGathering) {
      isGathering = true;
      pipe.cork();
      process.nextTick(flush); // After all promises of this turn.
    }
    return hasRoom;
  };
}
