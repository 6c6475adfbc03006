import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type JsonValue, asJson } from "../../schemas/json/json.ts";
import type { ServedAnswer } from "../surface.ts";

/** In UTF-16 units. Clients write a long answer to a file, and read that by lines. */
const LONGEST_LINE = 2048;

/** Puts first what decides whether the rest is worth reading. */
export function orderAnswer({ runId, key, diagnostics, result, logs, toolTrace }: ServedAnswer): ServedAnswer {
  const ids = withoutUndefined({ runId, key });
  return { ...ids, diagnostics, result, logs, toolTrace };
}

/** Prints an answer as JSON. Where it is long, items of lists and members of objects stand on lines of their own. */
export function printAnswer(answer: ServedAnswer): string {
  return print(asJson(orderAnswer(answer)));
}

function print(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!isSurelyLonger(value, LONGEST_LINE)) {
    const line = JSON.stringify(value);
    if (line.length <= LONGEST_LINE) return line;
  }
  if (Array.isArray(value)) return `[\n${value.map(print).join(",\n")}\n]`;
  const members = Object.entries(value).filter(([, member]) => (member as unknown) !== undefined);
  return `{\n${members.map(([key, member]) => `${JSON.stringify(key)}:${print(member)}`).join(",\n")}\n}`;
}

/**
 * Whether a value takes more characters as JSON than that, without printing it: a long value would be printed once for each of its levels. Escapes
 * are not counted, so a value of which this is false may be longer all the same. It looks at no more parts than characters.
 */
function isSurelyLonger(value: JsonValue, maxLength: number): boolean {
  let room = maxLength;
  const isOver = (part: JsonValue): boolean => {
    if (typeof part === "string") room -= part.length + 2;
    else if (typeof part !== "object" || part === null) room -= 1;
    else if (Array.isArray(part)) {
      room -= part.length + 1;
      if (room >= 0 && part.some(isOver)) return true;
    } else {
      for (const [key, member] of Object.entries(part)) {
        if ((member as unknown) === undefined) continue;
        room -= key.length + 4;
        if (room < 0 || isOver(member)) return true;
      }
    }
    return room < 0;
  };
  return isOver(value);
}
