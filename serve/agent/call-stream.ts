import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server";
import { describeProgress } from "../../schemas/run/describe-progress.ts";
import type { ToolCallEvent } from "../../schemas/run/tool-call-event.ts";
import type { SurfaceCall } from "../surface.ts";
import type { LogEntry } from "../../schemas/run/answer.ts";

/** What a client sees of a call before the answer comes. */
export type CallStream = Pick<SurfaceCall, "onLog" | "onToolCall"> & {
  /** To be called before the answer is sent: nothing may come after that. */
  end(): void;
};

export interface CallStreamOptions {
  /** Absent where the client asked for no log messages. */
  logLevel: LoggingLevel | undefined;
  heartbeatMs: number;
}

/** Streams logs to clients that asked for them, and progress to requests with a token. */
export function makeCallStream({ mcpReq }: ServerContext, { logLevel, heartbeatMs }: CallStreamOptions): CallStream {
  const notify = async (method: string, params: object): Promise<void> => {
    // The client has disconnected.
    if (!mcpReq.signal.aborted) await mcpReq.notify({ method, params: { ...params } }).catch(() => undefined);
  };
  const progressToken = mcpReq._meta?.progressToken;
  const progress =
    progressToken === undefined
      ? undefined
      : makeProgressStream({
          heartbeatMs,
          send: (message) => notify("notifications/progress", { progressToken, ...message }),
        });
  const log =
    logLevel === undefined
      ? undefined
      : makeLogStream({ level: logLevel, send: (message) => notify("notifications/message", message) });
  return {
    onLog({ level, message }) {
      progress?.tell(message);
      log?.add("script", toLoggingLevel(level), message);
    },
    onToolCall(event) {
      if (event.kind === "log") return log?.add("servers", event.level, `${event.serverId}: ${event.text}`);
      const line = describeToolCall(event);
      progress?.tell(line);
      log?.add("tools", "debug", line);
    },
    end() {
      log?.end();
      progress?.end();
    },
  };
}

function describeToolCall(event: Exclude<ToolCallEvent, { kind: "log" }>): string {
  const { serverId, toolName } = event.kind === "ended" ? event.entry : event;
  const call = `${serverId}/${oneLine(toolName)} (${event.number})`;
  if (event.kind === "started") return `calling ${call}`;
  if (event.kind === "progress") return `${call}: ${describeProgress(event)}`;
  return event.entry.ok ? `called ${call}` : `${call} failed`;
}

/** Sends what a script logs as `notifications/message`, while it runs. */
interface LogStream {
  add(logger: Logger, level: LoggingLevel, line: string): void;
  /** Sends what is left of it, and nothing more. */
  end(): void;
}

/** `script` for its console, `tools` for the tools that it calls, `servers` for what their servers log. */
type Logger = "script" | "tools" | "servers";

interface LogMessage {
  level: LoggingLevel;
  logger: Logger;
  data: string;
}

interface LogStreamOptions {
  /** What the client asked for; it gets nothing below this. */
  level: LoggingLevel;
  /** Settles when the message is written, and never rejects. */
  send(message: LogMessage): Promise<void>;
}

const PAUSE_MS = 40;
const MAX_MESSAGES_PER_FLUSH = 20;
/** Of one message, in UTF-16 units. The whole log is in the answer. */
const LONGEST_MESSAGE = 8192;

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
function toLoggingLevel(level: LogEntry["level"]): LoggingLevel {
  return LEVELS[level];
}

/** Lines that come together, of one level and logger, are one message. */
function makeLogStream({ level: wanted, send }: LogStreamOptions): LogStream {
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
      if (last?.level === level && last.logger === logger && last.data.length + line.length < LONGEST_MESSAGE) {
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
  if (line.length <= LONGEST_MESSAGE) return line;
  return `${line.slice(0, LONGEST_MESSAGE)}… (${line.length - LONGEST_MESSAGE} more)`;
}

/** Requests a flush at a rate that suits a reader. */
interface Pacer {
  /** There is something to flush: at once, or when the pause since the last flush is over. */
  touch(): void;
  /** Flushes what is left, and never again. */
  end(): void;
}

/**
 * Makes a pacer. The next flush waits for the pause and for the one before it, so that nothing piles up where a reader is slow.
 *
 * @param flush writes synchronously what there is; settles when it is written, and never rejects
 */
function makePacer(pauseMs: number, flush: () => Promise<void>): Pacer {
  let isDue = false;
  let isPausing = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    isDue = false;
    isPausing = true;
    const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, pauseMs)));
    await Promise.all([flush(), pause]);
    isPausing = false;
    if (isDue && !isEnded) void run();
  };
  return {
    touch() {
      if (isEnded) return;
      if (isPausing) isDue = true;
      else void run();
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      if (isDue) void flush();
    },
  };
}

/** Tells a client that gave a progress token how its call goes on. */
interface ProgressStream {
  /** The last one of several that come together is sent. */
  tell(message: string): void;
  end(): void;
}

/** A notification without its token. */
interface ProgressMessage {
  progress: number;
  message: string;
}

interface ProgressStreamOptions {
  /** After this time without progress the client gets a heartbeat, so that it does not time out. */
  heartbeatMs: number;
  /** Settles when the message is written, and never rejects. */
  send(message: ProgressMessage): Promise<void>;
}

const LONGEST_NEWS = 500;

/** `progress` counts the notifications: it increases always, and has no total. */
function makeProgressStream({ heartbeatMs, send }: ProgressStreamOptions): ProgressStream {
  const startedAt = performance.now();
  let progress = 0;
  let news = "";
  const pacer = makePacer(PAUSE_MS, () => {
    heartbeat.refresh();
    progress += 1;
    return send({ progress, message: news });
  });
  const tell = (message: string): void => {
    const line = oneLine(message);
    news = line.length > LONGEST_NEWS ? `${line.slice(0, LONGEST_NEWS)}…` : line;
    pacer.touch();
  };
  const heartbeat = setInterval(
    () => tell(`at work for ${Math.round((performance.now() - startedAt) / 1000)} s`),
    heartbeatMs,
  );
  return {
    tell,
    end() {
      clearInterval(heartbeat);
      pacer.end();
    },
  };
}
