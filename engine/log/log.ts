import type { LogThreshold } from "../../schemas/config/config-file.ts";

/** What goes to standard error while codemode serves. Messages and fields are made harmless here: no caller needs to escape anything. */
export interface Log {
  error: LogLine;
  warn: LogLine;
  info: LogLine;
  debug: LogLine;
  /** Whether lines of this level are written, for those who would have to compute them first. */
  isEnabled(level: Exclude<LogThreshold, "silent">): boolean;
}

/** @param fields what the line is about; undefined ones are left out */
export type LogLine = (message: string, fields?: LogFields) => void;

export interface LogFields {
  [name: string]: string | number | boolean | readonly string[] | undefined;
}

/** A line of JSON for programs, or a short line for the person at a terminal. */
export type LogFormat = "json" | "text";
