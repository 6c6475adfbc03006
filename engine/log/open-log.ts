import { destination, pino, stdTimeFunctions } from "pino";
import type { LogThreshold } from "../../schemas/config/config-file.ts";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import type { Log, LogFields, LogFormat, LogLine } from "./log.ts";

const STDERR = 2;
/** Of one text, in UTF-16 units: names are the servers', and as long as they like. */
const MAX_LENGTH = 2000;
const MAX_ITEMS = 20;

/**
 * Opens the log on standard error. Every line is written before the function that logs it returns, so that none is lost when the process
 * ends. The logger takes a while to load: import this file where there is something to log.
 * @param redact masks the secrets of the project
 */
export function openLog(level: LogThreshold, format: LogFormat, redact: (text: string) => string): Log {
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

/** Fields that say nothing to the person at the terminal, or are shown in another way. */
const HIDDEN = new Set(["level", "time", "pid", "msg"]);

/** A line of the log's JSON as a line for a terminal: the time of day, the level where it is no plain news, the message, the fields. */
export function printLogLine(json: string): string {
  const line = JSON.parse(json) as { level: string; time: string; msg: string };
  const level = line.level === "info" ? "" : `${line.level}: `;
  const fields = Object.entries(line)
    .filter(([name]) => !HIDDEN.has(name))
    .map(
      ([name, value]: [string, unknown]) =>
        `${name}=${typeof value === "string" ? quote(value) : JSON.stringify(value)}`,
    );
  // The message cannot start a new line.
  const text = [`${line.time.slice(11, 19)} ${level}${line.msg.replaceAll("\n", "\n  ")}`, ...fields].join("  ");
  return `${escapeInvisible(text)}\n`;
}

/** A word stands as it is. */
function quote(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : JSON.stringify(text);
}
