import type { LogEntry, LogLevel } from "../../../schemas/run/answer.ts";
import { utf8Length } from "../../../schemas/json/utf8.ts";

export interface RunLog {
  entries: LogEntry[];
  /** True when the limit was reached and the last entry says so. */
  isTruncated(): boolean;
  /** Adds an entry. False where the sandbox logs more than its limit, which it should have kept itself. */
  add(level: LogLevel, message: string, timeMs: number, truncated: boolean): boolean;
}

/** Keeps what a script logs and passes it on as it happens. `toMessage` makes a message fit for readers. */
export function makeRunLog(
  maxBytes: number,
  toMessage: (message: string) => string,
  onLog: ((entry: LogEntry) => void) | undefined,
): RunLog {
  const entries: LogEntry[] = [];
  let bytes = 0;
  let isTruncated = false;

  const push = (entry: LogEntry): void => {
    entries.push(entry);
    onLog?.(entry);
  };
  return {
    entries,
    isTruncated: () => isTruncated,
    add(level, message, timeMs, truncated) {
      bytes += utf8Length(message);
      if (isTruncated || bytes > maxBytes) return false;
      if (!truncated || message !== "") push({ level, message: toMessage(message), timeMs });
      if (truncated) {
        isTruncated = true;
        push({
          level: "warn",
          message: `Logs truncated: the limit maxLogBytes (${maxBytes} bytes) was reached`,
          timeMs,
        });
      }
      return true;
    },
  };
}
