import type { LogLevel } from "../../../schemas/run/answer.ts";
import { formatFrame } from "../../../schemas/run/protocol.ts";
import { cutToUtf8, utf8Length } from "../../../schemas/json/utf8.ts";
import { printLogMessage } from "./serialize/print-log-value.ts";

/** What an entry costs at least, so that empty messages are bounded too. */
const MIN_ENTRY_BYTES = 16;

export interface ScriptLog {
  start(maxBytes: number): void;
  log(level: LogLevel, args: readonly unknown[]): void;
}

/** Sends what the script logs, as it happens, up to the limit; the entry that crosses it is cut and says so, later ones are dropped. */
export function makeScriptLog(send: (frame: string) => void, now: () => number): ScriptLog {
  let room = 0;
  let isFull = false;
  let startedAt = 0;
  return {
    start(maxBytes) {
      room = maxBytes;
      startedAt = now();
    },
    log(level, args) {
      if (isFull) return;
      const full = printLogMessage(args, room);
      const bytes = Math.max(utf8Length(full), MIN_ENTRY_BYTES);
      const truncated = bytes > room;
      isFull = truncated;
      const message = truncated ? cutToUtf8(full, room) : full;
      room -= bytes;
      send(formatFrame({ type: "log", level, timeMs: Math.max(now() - startedAt, 0), message, truncated }));
    },
  };
}
