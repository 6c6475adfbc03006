import { callBack, type OnCallbackFailed } from "../schemas/run/call-back.ts";
import type { EngineOptions } from "./engine-options.ts";

/** Objects that have no text of their own are a person each. */
const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Names the person of a context, for what is kept between scripts. Contexts with the same JSON are one person's; of what JSON cannot hold each object is a
 * person.
 * @param userOf as in `EngineOptions`
 */
export function personOf(
  context: unknown,
  userOf: EngineOptions["userOf"],
  onFailed: OnCallbackFailed,
): string | undefined {
  if (userOf !== undefined) {
    const user: unknown = callBack("userOf", () => userOf(context), undefined, onFailed);
    if (typeof user === "string") return `user ${user}`;
    onFailed("userOf", new TypeError(`it gives ${typeof user}, and not a text`));
  }
  if (context === undefined) return undefined;
  if (typeof context !== "object" || context === null) return `${typeof context} ${String(context)}`;
  if (isJson(context)) return `json ${JSON.stringify(context)}`;
  const number = numbers.get(context) ?? (last += 1);
  numbers.set(context, number);
  return `object ${number}`;
}

/** Whether the JSON of a value says all of it, or the value itself says what its JSON is. */
function isJson(value: unknown, depth = 0): boolean {
  if (value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)) return true;
  if (typeof value !== "object" || depth > MOST_DEPTH) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return true;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((member) => isJson(member, depth + 1));
}

const MOST_DEPTH = 20;
