import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";

/** Those that say nothing to the person at the terminal, or are shown in another way. */
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
