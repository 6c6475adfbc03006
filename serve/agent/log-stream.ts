import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { LogEntry } from "../../schemas/run/answer.ts";
import { makePacer } from "./pacer.ts";

/** Sends what a script logs as `notifications/message`, while it runs. */
export interface LogStream {
  add(logger: Logger, level: LoggingLevel, line: string): void;
  /** Sends what is left of it, and nothing more. */
  end(): void;
}

/** `script` for its console, `tools` for the tools that it calls, `servers` for what their servers log. */
export type Logger = "script" | "tools" | "servers";

export interface LogMessage {
  level: LoggingLevel;
  logger: Logger;
  data: string;
}

export interface LogStreamOptions {
  /** What the client asked for; it gets nothing below this. */
  level: LoggingLevel;
  /** Settles when the message is written, and never rejects. */
  send(message: LogMessage): Promise<void>;
}

const PAUSE_MS = 40;
const MAX_MESSAGES_PER_FLUSH = 20;
/** Of one message, in UTF-16 units. The whole log is in the answer. */
const MAX_LENGTH = 8192;

const SEVERITIES: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

const LEVELS = { debug: "debug", log: "info", warn: "warning", error: "error" } as const;

/** The level of MCP for that of a console call. */
export function toLoggingLevel(level: LogEntry["level"]): LoggingLevel {
  return LEVELS[level];
}

/** Lines that come together, of one level and logger, are one message. */
export function makeLogStream({ level: wanted, send }: LogStreamOptions): LogStream {
  const severity = SEVERITIES.indexOf(wanted);
  const messages: LogMessage[] = [];
  const pacer = makePacer(PAUSE_MS, async () => {
    const sent = messages.splice(0, MAX_MESSAGES_PER_FLUSH).map((message) => send(message));
    await Promise.all(sent);
    if (messages.length > 0) pacer.touch();
  });
  return {
    add(logger, level, line) {
      if (SEVERITIES.indexOf(level) < severity) return;
      const last = messages.at(-1);
      if (last?.level === level && last.logger === logger && last.data.length + line.length < MAX_LENGTH) {
        last.data += `\n${line}`;
      } else {
        messages.push({ level, logger, data: shorten(line) });
      }
      pacer.touch();
    },
    end() {
      if (messages.length > MAX_MESSAGES_PER_FLUSH) {
        const left = messages.splice(MAX_MESSAGES_PER_FLUSH - 1).length;
        messages.push({ level: wanted, logger: "script", data: `${left} more messages: see the answer.` });
      }
      pacer.end();
    },
  };
}

function shorten(line: string): string {
  if (line.length <= MAX_LENGTH) return line;
  return `${line.slice(0, MAX_LENGTH)}… (${line.length - MAX_LENGTH} more)`;
}
