import type { JsonValue } from "../json/json.ts";
import { isFieldName } from "./field-name.ts";
import { wordsOfInput } from "./input-words.ts";
import { type FieldShape, joinShapes, type MapShape, MOST_FIELDS, type RecordShape, type Shape } from "./shape.ts";

/** What is nested deeper is anything. */
export const DEEPEST_SHAPE = 12;
/** With so many keys whose values are all of one kind, the keys of an object are data. */
const FEWEST_KEYS_OF_ONE_KIND = 20;
/** The same where all keys are written like variables of an environment. */
const FEWEST_VARIABLES = 4;
const VARIABLE = /^[A-Z_][A-Z_\d]*$/;
/** One field may have the name of a word by chance. */
const FEWEST_NAMED_FIELDS = 2;
/** Of a longer list or map, as many items from its beginning as spread over the rest. */
const MOST_ITEMS = 200;
/** Bounds the time that one value takes. */
const MOST_VALUES = 20_000;

/** The values that are still looked at; what is left out stays unseen. */
interface Budget {
  values: number;
  words: () => ReadonlySet<string>;
}

/**
 * The shape of one value: the same value has the same shape.
 * @param input of the tool that returned it
 */
export function shapeOfValue(value: JsonValue, input: JsonValue = null): Shape {
  let words: ReadonlySet<string> | undefined;
  return look(value, 0, { values: MOST_VALUES, words: () => (words ??= wordsOfInput(input)) });
}

function look(value: JsonValue, depth: number, budget: Budget): Shape {
  budget.values -= 1;
  if (budget.values < 0) return {};
  if (value === null) return { null: true };
  if (typeof value !== "object") return { [typeof value]: true };
  if (depth >= DEEPEST_SHAPE) return { any: true };
  if (Array.isArray(value)) return { array: lookAtAll(value, depth, budget) };
  return { object: lookAtObject(value, depth, budget) };
}

function lookAtAll(values: readonly JsonValue[], depth: number, budget: Budget): Shape {
  let shape: Shape = {};
  for (const value of sample(values)) {
    if (budget.values <= 0) break;
    shape = joinShapes(shape, look(value, depth + 1, budget));
  }
  return shape;
}

function lookAtObject(value: { [key: string]: JsonValue }, depth: number, budget: Budget): RecordShape | MapShape {
  const keys = Object.keys(value);
  if (keys.length > MOST_FIELDS || !keys.every(isFieldName)) {
    const values = sample(keys).map((key) => value[key] as JsonValue);
    return { values: lookAtAll(values, depth, budget) };
  }
  // The caller named them, and knows of what type they are.
  if (keys.length >= FEWEST_NAMED_FIELDS && keys.every((key) => budget.words().has(key)))
    return { values: { any: true } };
  const fields = new Map<string, FieldShape>();
  for (const key of keys)
    fields.set(key, { shape: look(value[key] as JsonValue, depth + 1, budget), isOptional: false });
  const shapes = [...fields.values()].map((field) => field.shape);
  const fewest = keys.every((key) => VARIABLE.test(key)) ? FEWEST_VARIABLES : FEWEST_KEYS_OF_ONE_KIND;
  const isMap = shapes.length >= fewest && areOfOneKind(shapes);
  return isMap ? { values: shapes.reduce(joinShapes, {}) } : { fields };
}

function areOfOneKind(shapes: readonly Shape[]): boolean {
  const kinds = new Set(shapes.flatMap((shape) => Object.keys(shape)).filter((kind) => kind !== "null"));
  return kinds.size <= 1;
}

function sample<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= 2 * MOST_ITEMS) return items;
  const step = (items.length - MOST_ITEMS) / MOST_ITEMS;
  const spread = Array.from({ length: MOST_ITEMS }, (_, index) => items[MOST_ITEMS + Math.floor(index * step)] as Item);
  return [...items.slice(0, MOST_ITEMS), ...spread];
}
