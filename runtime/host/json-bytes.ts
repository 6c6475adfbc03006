import type { JsonValue } from "../../schemas/json/json.ts";

/** The bytes of a value as JSON; 0 where it is nested too deep to be printed. */
export function jsonBytes(value: JsonValue): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return 0;
  }
}
