import type { JsonValue } from "../../schemas/json/json.ts";
import type { ServedAnswer } from "../surface.ts";

/** In UTF-16 units. Clients write a long answer to a file, and read that by lines. */
const LONGEST_LINE = 2048;

/** Puts first what decides whether the rest is worth reading. */
export function orderAnswer({ runId, key, diagnostics, result, logs, toolTrace }: ServedAnswer): ServedAnswer {
  const ids = { ...(runId === undefined ? {} : { runId }), ...(key === undefined ? {} : { key }) };
  return { ...ids, diagnostics, result, logs, toolTrace };
}

/** Prints an answer as JSON. Where it is long, items of lists and members of objects stand on lines of their own. */
export function printAnswer(answer: ServedAnswer): string {
  return print(orderAnswer(answer) as unknown as JsonValue);
}

function print(value: JsonValue): string {
  const line = JSON.stringify(value);
  if (line.length <= LONGEST_LINE || typeof value !== "object" || value === null) return line;
  if (Array.isArray(value)) return `[\n${value.map(print).join(",\n")}\n]`;
  const members = Object.entries(value).filter(([, member]) => (member as unknown) !== undefined);
  return `{\n${members.map(([key, member]) => `${JSON.stringify(key)}:${print(member)}`).join(",\n")}\n}`;
}
