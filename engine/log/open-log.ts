import { destination, pino, stdTimeFunctions } from "pino";
import type { LogThreshold } from "../../schemas/config/observe-settings.ts";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import type { Log, LogFields, LogFormat, LogLine } from "./log.ts";
import { printLogLine } from "./print-log-line.ts";

export interface LogOptions {
  level: LogThreshold;
  format: LogFormat;
  /** Masks the secrets of the project. */
  redact: (text: string) => string;
}

const STDERR = 2;
/** Of one text, in UTF-16 units: names are the servers', and as long as they like. */
const MAX_LENGTH = 2000;
const MAX_ITEMS = 20;

/**
 * Opens the log on standard error. Every line is written before the function that logs it returns, so that none is lost when the process
 * ends. The logger takes a while to load: import this file where there is something to log.
 */
export function openLog({ level, format, redact }: LogOptions): Log {
  const stderr = destination({ dest: STDERR, sync: true });
  // Standard error is closed, so this cannot be reported.
  stderr.on("error", () => undefined);
  const write = (line: string): void =>
    void stderr.write(format === "json" ? escapeInvisible(line) : printLogLine(line));
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, { write });

  const clean = (text: string): string => {
    const masked = redact(text);
    return masked.length > MAX_LENGTH ? `${masked.slice(0, MAX_LENGTH)}…` : masked;
  };
  const cleanFields = (fields: LogFields): LogFields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cleanValue(value)]));
  const cleanValue = (value: LogFields[string]): LogFields[string] => {
    if (typeof value === "string") return clean(value);
    return typeof value === "object" ? value.slice(0, MAX_ITEMS).map(clean) : value;
  };
  const lineOf =
    (name: "error" | "warn" | "info" | "debug"): LogLine =>
    (message, fields = {}) => {
      if (logger.isLevelEnabled(name)) logger[name](cleanFields(fields), clean(message));
    };
  return {
    error: lineOf("error"),
    warn: lineOf("warn"),
    info: lineOf("info"),
    debug: lineOf("debug"),
    isEnabled: (name) => logger.isLevelEnabled(name),
  };
}
