import { isJsonObject, type JsonValue } from "../json/json.ts";
import { toSourceLiteral } from "./visible-text.ts";

/** What a line holds before a value is spread over several. */
const WIDTH = 100;

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * A JSON value as a JavaScript expression, laid out as prettier would.
 * @param indent of the line on which the value starts
 */
export function printValue(value: JsonValue, indent = ""): string {
  const parts = partsOf(value);
  if (parts === undefined) return toSourceLiteral(value);
  const { open, close, members, space } = parts;
  if (members.length === 0) return open + close;
  const flat = `${open}${space}${members.map(([key, item]) => key + printValue(item)).join(", ")}${space}${close}`;
  if (flat.length + indent.length <= WIDTH && !flat.includes("\n")) return flat;
  const inner = `${indent}  `;
  return `${open}\n${members.map(([key, item]) => `${inner}${key}${printValue(item, inner)},\n`).join("")}${indent}${close}`;
}

interface Parts {
  open: string;
  close: string;
  space: string;
  /** What stands before each member, and the member. */
  members: (readonly [string, JsonValue])[];
}

function partsOf(value: JsonValue): Parts | undefined {
  if (Array.isArray(value)) return { open: "[", close: "]", space: "", members: value.map((item) => ["", item]) };
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).map(([key, item]) => [`${printKey(key)}: `, item] as const);
  return { open: "{", close: "}", space: " ", members };
}

/** `__proto__` written plainly would set the prototype. */
function printKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return IDENTIFIER.test(key) ? key : toSourceLiteral(key);
}
