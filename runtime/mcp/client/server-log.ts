import { isJsonObject, type JsonObject } from "../../../schemas/json/json.ts";
import { SERVER_LOG_LEVELS, type ServerLog, type ServerLogLevel } from "./call-listener.ts";
import { toPlainLine } from "./plain-text.ts";

const MAX_LENGTH = 2_000;
/** Of one server: so many at once, and so many a second from there on. */
const MAX_BURST = 100;
const PER_SECOND = 20;

/** Makes the reader of `notifications/message` of one server. It gives undefined for what is malformed, and for what is too much. */
export function makeServerLogReader(
  now = performance.now.bind(performance),
): (params: JsonObject) => ServerLog | undefined {
  let tokens = MAX_BURST;
  let filledAt = now();
  return (params) => {
    const elapsed = now() - filledAt;
    tokens = Math.min(MAX_BURST, tokens + (elapsed / 1000) * PER_SECOND);
    filledAt += elapsed;
    const level = SERVER_LOG_LEVELS.find((known) => known === params["level"]);
    if (tokens < 1 || level === undefined) return undefined;
    tokens -= 1;
    return { level: level satisfies ServerLogLevel, text: toText(params) };
  };
}

function toText({ logger, data }: JsonObject): string {
  const text = typeof data === "string" ? data : JSON.stringify(isJsonObject(data) ? data : (data ?? null));
  const from = typeof logger === "string" && logger !== "" ? `${logger}: ` : "";
  return toPlainLine(`${from}${text}`.slice(0, 2 * MAX_LENGTH), MAX_LENGTH);
}
