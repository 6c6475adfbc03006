import { type JsonValue } from "../../../schemas/json.ts";

/** The deepest nesting that is taken from a sandbox: code that walks values calls itself once per level. */
const MAX_DEPTH = 256;

/** Parses JSON text of a sandbox's making; undefined where it is none, or nested so deeply that it could exhaust our own stack. */
export function parseForeignJson(text: string): JsonValue | undefined {
  if (isDeeperThan(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of strings. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === "]" || character === "}") depth -= 1;
  }
  return false;
}
