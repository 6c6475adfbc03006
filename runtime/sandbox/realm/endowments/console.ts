import type { LogLevel } from "../../../../schemas/run/answer.ts";

type Log = (level: LogLevel, args: readonly unknown[]) => void;

/** The levels of the specification's section 9, and the other methods that people know, on the nearest of those levels. */
const LEVELS = {
  debug: "debug",
  log: "log",
  warn: "warn",
  error: "error",
  info: "log",
  trace: "debug",
  dir: "log",
  table: "log",
  group: "log",
  groupCollapsed: "log",
} satisfies Record<string, LogLevel>;

/** Makes the script's console. It prints no `%` patterns: every argument is a value (specification 3.3.1). */
export function makeConsole(log: Log): Readonly<Record<string, (...args: unknown[]) => void>> {
  const methods: Record<string, (...args: unknown[]) => void> = {
    assert(condition, ...args) {
      if (!condition) log("error", ["Assertion failed", ...args]);
    },
    groupEnd() {},
  };
  for (const [name, level] of Object.entries(LEVELS)) {
    const method = {
      [name](...args: unknown[]) {
        log(level, args);
      },
    };
    Object.assign(methods, method);
  }
  return methods;
}
