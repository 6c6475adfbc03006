import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server";
import { describeProgress } from "../../schemas/run/describe-progress.ts";
import type { ToolCallEvent } from "../../schemas/run/tool-call-event.ts";
import type { SurfaceCall } from "../surface.ts";
import { makeLogStream, toLoggingLevel } from "./log-stream.ts";
import { makeProgressStream } from "./progress-stream.ts";

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
