import type { JsonObject } from "../../../schemas/json/json.ts";

/** Hears what a server says and asks in the middle of a call. All of it is hostile. */
export interface CallListener {
  /** Who answers questions. In the older eras a question names no call: calls with the same person may stand for each other. */
  readonly person: unknown;
  /** Puts a question of the server: the parameters of `elicitation/create` in, an `ElicitResult` out. Never rejects. */
  elicit(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  log?: ((message: ServerLog) => void) | undefined;
}

/** A log message of a server, short and on one line. */
export interface ServerLog {
  level: McpLogLevel;
  text: string;
}

export type McpLogLevel = (typeof SERVER_LOG_LEVELS)[number];

/** In the order of their severity. */
export const SERVER_LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
