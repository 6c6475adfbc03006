import { isJsonObject, type JsonValue, ownValue } from "../json/json.ts";
import { holdsPlaceholder, isPlaceholder } from "../run/placeholders.ts";
import { includesShape, joinShapes, type Shape } from "./shape.ts";
import { shapeOfValue } from "./shape-of-value.ts";

/** What the results of one tool looked like, as its binding returns them (specification 5.3.2). No member: none was seen. */
export interface ResultShape {
  /** A single text that is not JSON. */
  text?: true;
  /** What is inside a single text that is the JSON text of an object or a list. */
  json?: Shape;
  /** Structured content. */
  structured?: Shape;
  /** A whole MCP result: the types of its content blocks, of `BLOCK_TYPES`. */
  blocks?: ReadonlySet<string>;
}

/** The content blocks of MCP. Blocks of other types are `other`. */
export const BLOCK_TYPES: readonly string[] = ["audio", "image", "other", "resource", "resource_link", "text"];

/** A longer text is not parsed: its shape would cost more than the call. In UTF-16 code units. */
const LONGEST_JSON = 1_000_000;

/**
 * The shape of one result; undefined for a text that is too long to look into, or that redaction has made unreadable.
 * @param input what the tool was called with
 */
export function shapeOfResult(value: JsonValue, input?: JsonValue): ResultShape | undefined {
  if (typeof value === "string") return shapeOfText(value, input);
  const blocks = contentBlocksOf(value);
  return blocks === undefined ? { structured: shapeOfValue(value, input) } : { blocks };
}

function shapeOfText(text: string, input: JsonValue | undefined): ResultShape | undefined {
  if (isPlaceholder(text)) return undefined;
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text.slice(-20))) return { text: true };
  if (text.length > LONGEST_JSON) return undefined;
  try {
    return { json: shapeOfValue(JSON.parse(text) as JsonValue, input) };
  } catch {
    // A redacted number leaves a text that is no JSON any more.
    return holdsPlaceholder(text) ? undefined : { text: true };
  }
}

/** The types of the blocks, where the value has the form of a whole MCP result. */
function contentBlocksOf(value: JsonValue): ReadonlySet<string> | undefined {
  if (!isJsonObject(value)) return undefined;
  const content = ownValue(value, "content");
  if (!Array.isArray(content)) return undefined;
  const types = content.map((block) => (isJsonObject(block) ? ownValue(block, "type") : undefined));
  if (!types.every((type) => typeof type === "string")) return undefined;
  return new Set(types.map((type) => (BLOCK_TYPES.includes(type) ? type : "other")));
}

/** The shape of all results that one of the two describes. */
export function joinResultShapes(left: ResultShape, right: ResultShape): ResultShape {
  const joined: ResultShape = {};
  if (left.text === true || right.text === true) joined.text = true;
  for (const key of ["json", "structured"] as const) {
    const [one, other] = [left[key], right[key]];
    const shape = one === undefined || other === undefined ? (one ?? other) : joinShapes(one, other);
    if (shape !== undefined) joined[key] = shape;
  }
  if (left.blocks !== undefined || right.blocks !== undefined) {
    joined.blocks = new Set([...(left.blocks ?? []), ...(right.blocks ?? [])]);
  }
  return joined;
}

/** Whether a result of the shape `part` is included in `shape`. */
export function includesResultShape(shape: ResultShape, part: ResultShape): boolean {
  const { blocks } = shape;
  return (
    (part.text !== true || shape.text === true) &&
    (part.blocks === undefined || (blocks !== undefined && [...part.blocks].every((type) => blocks.has(type)))) &&
    (["json", "structured"] as const).every((key) => {
      const [known, seen] = [shape[key], part[key]];
      return seen === undefined || (known !== undefined && includesShape(known, seen));
    })
  );
}
