import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server";
import { clock, every } from "../../engine/clock.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Emit, RunEvent } from "../../schemas/run/events.ts";
import { type ToolCallEvent, describeProgress, toToolCallEvent } from "../../schemas/run/tool-call-event.ts";
import type { CallingClient } from "./caller.ts";

/** What a client sees of a call before the answer comes. */
interface CallStream {
  emit: Emit<RunEvent>;
  /** To be called before the answer is sent: nothing may come after that. */
  end(): void;
}

const PAUSE_MS = 40;
const MAX_MESSAGES_PER_FLUSH = 20;
/** Of one message, in UTF-16 units. The whole log is in the answer. */
const LONGEST_MESSAGE = 8192;
const LONGEST_NEWS = 500;

/** From MCP's least severe level to its most severe one. */
const SEVERITIES: readonly LoggingLevel[] = "debug info notice warning error critical alert emergency".split(
  " ",
) as LoggingLevel[];

/** The levels of MCP for those of console calls. */
const LEVELS = { debug: "debug", log: "info", warn: "warning", error: "error" } as const;

/** Streams logs to clients that asked for them, and progress to requests with a token. */
export function makeCallStream(
  { mcpReq }: ServerContext,
  { logLevel, heartbeatMs }: Pick<CallingClient, "logLevel" | "heartbeatMs">,
): CallStream {
  const notify = async (method: string, params: object): Promise<void> => {
    // The client has disconnected.
    if (!mcpReq.signal.aborted) await mcpReq.notify({ method, params: { ...params } }).catch(() => undefined);
  };
  const progressToken = mcpReq._meta?.progressToken;
  const progress =
    progressToken === undefined
      ? undefined
      : makeProgressStream(heartbeatMs, (message) => notify("notifications/progress", { progressToken, ...message }));
  const log =
    logLevel === undefined ? undefined : makeLogStream(logLevel, (message) => notify("notifications/message", message));
  return {
    emit(event) {
      if (event.type === "log") {
        const { level, message } = event.entry;
        progress?.tell(message);
        return log?.add("script", LEVELS[level], message);
      }
      const call = toToolCallEvent(event);
      if (call === undefined) return;
      if (call.kind === "log") return log?.add("servers", call.level, `${call.serverId}: ${call.text}`);
      const line = describeToolCall(call);
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

interface LogMessage {
  level: LoggingLevel;
  /** `script` for its console, `tools` for the tools that it calls, `servers` for what their servers log. */
  logger: "script" | "tools" | "servers";
  data: string;
}

/**
 * Sends what a script logs as `notifications/message`, while it runs. Lines that come together, of one level and logger, are one message; what is below the
 * wanted level is not sent.
 */
function makeLogStream(wanted: LoggingLevel, send: (message: LogMessage) => Promise<void>) {
  const severity = SEVERITIES.indexOf(wanted);
  const messages: LogMessage[] = [];
  const pacer = makePacer(async () => {
    await Promise.all(messages.splice(0, MAX_MESSAGES_PER_FLUSH).map(send));
    if (messages.length > 0) pacer.touch();
  });
  return {
    add(logger: LogMessage["logger"], level: LoggingLevel, line: string): void {
      if (SEVERITIES.indexOf(level) < severity) return;
      const last = messages.at(-1);
      if (last?.level === level && last.logger === logger && last.data.length + line.length < LONGEST_MESSAGE) {
        last.data += `\n${line}`;
      } else {
        messages.push({ level, logger, data: shorten(line) });
      }
      pacer.touch();
    },
    /** Sends what is left of it, and nothing more. */
    end(): void {
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

/** Tells how a call goes on. `progress` counts the notifications: it increases always, and has no total. */
function makeProgressStream(
  heartbeatMs: number,
  send: (message: { progress: number; message: string }) => Promise<void>,
) {
  const startedAt = clock.now();
  let progress = 0;
  let news = "";
  // So that a client without progress does not time out.
  const beat = (): void => tell(`at work for ${Math.round((clock.now() - startedAt) / 1000)} s`);
  let endBeating = every(heartbeatMs, beat);
  const pacer = makePacer(() => {
    endBeating();
    endBeating = every(heartbeatMs, beat);
    progress += 1;
    return send({ progress, message: news });
  });
  /** The last one of several that come together is sent. */
  const tell = (message: string): void => {
    const line = oneLine(message);
    news = line.length > LONGEST_NEWS ? `${line.slice(0, LONGEST_NEWS)}…` : line;
    pacer.touch();
  };
  return {
    tell,
    end(): void {
      endBeating();
      pacer.end();
    },
  };
}

/**
 * Requests a flush at a rate that suits a reader: the next one waits for a pause and for the one before it, so that nothing piles up where a reader is slow.
 * @param flush writes synchronously what there is; settles when it is written, and never rejects
 */
function makePacer(flush: () => Promise<void>) {
  let isDue = false;
  let isPausing = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    isDue = false;
    isPausing = true;
    const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, PAUSE_MS)));
    await Promise.all([flush(), pause]);
    isPausing = false;
    if (isDue && !isEnded) void run();
  };
  return {
    touch(): void {
      if (isEnded) return;
      if (isPausing) isDue = true;
      else void run();
    },
    /** Flushes what is left, and never again. */
    end(): void {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      if (isDue) void flush();
    },
  };
}
