import type { JsonValue } from "../json/json.ts";
import { holdsPlaceholder, isPlaceholder } from "../run/placeholders.ts";
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
  // What was redacted may have been a string or a number.
  if (typeof value === "string" && isPlaceholder(value)) return {};
  if (typeof value !== "object") return { [typeof value]: true };
  if (depth >= DEEPEST_SHAPE) return { any: true };
  if (Array.isArray(value)) return { array: lookAtAll(value, depth, budget) };
  return Object.keys(value).some(holdsPlaceholder) ? {} : { object: lookAtObject(value, depth, budget) };
}

function lookAtAll(values: readonly JsonValue[], depth: number, budget: Budget): Shape {
  let shape: Shape = {};
  for (const value of sample(values)) {
    if (budget.values <= 0) break;
    const left = budget.values;
    if (describes(shape, value, budget)) continue;
    budget.values = left;
    shape = joinShapes(shape, look(value, depth + 1, budget));
  }
  return shape;
}

/**
 * Whether a shape surely includes a value's shape. Items of a list are nearly always alike: this makes no shape for each of them, and is
 * several times faster. A shape of anything has no parts to compare with, so that this goes no deeper than shapes do.
 */
function describes(shape: Shape, value: JsonValue, budget: Budget): boolean {
  budget.values -= 1;
  if (budget.values < 0) return false;
  if (value === null) return shape.null === true;
  if (typeof value !== "object") return shape[typeof value as "boolean" | "number" | "string"] === true;
  if (Array.isArray(value)) {
    const { array } = shape;
    return array !== undefined && sample(value).every((item) => describes(array, item, budget));
  }
  const { object } = shape;
  if (object === undefined || "values" in object) return false;
  const keys = Object.keys(value);
  if (mayBeData(keys, budget)) return false;
  let known = 0;
  for (const [name, field] of object.fields) {
    if (!Object.hasOwn(value, name)) {
      if (!field.isOptional) return false;
      continue;
    }
    known += 1;
    if (!describes(field.shape, value[name] as JsonValue, budget)) return false;
  }
  return known === keys.length;
}

/** Whether keys that read as names of fields may be data: what is known of them decides only together with their values. */
function mayBeData(keys: readonly string[], budget: Budget): boolean {
  return keys.length >= FEWEST_KEYS_OF_ONE_KIND || areVariables(keys) || areNamedByCaller(keys, budget);
}

function areVariables(keys: readonly string[]): boolean {
  return keys.length >= FEWEST_VARIABLES && keys.every((key) => VARIABLE.test(key));
}

function areNamedByCaller(keys: readonly string[], { words }: Budget): boolean {
  return keys.length >= FEWEST_NAMED_FIELDS && keys.every((key) => words().has(key));
}

function lookAtObject(value: { [key: string]: JsonValue }, depth: number, budget: Budget): RecordShape | MapShape {
  const keys = Object.keys(value);
  if (keys.length > MOST_FIELDS || !keys.every(isFieldName)) {
    const values = sample(keys).map((key) => value[key] as JsonValue);
    return { values: lookAtAll(values, depth, budget) };
  }
  // The caller named them, and knows of what type they are.
  if (areNamedByCaller(keys, budget)) return { values: { any: true } };
  const fields = new Map<string, FieldShape>();
  for (const key of keys)
    fields.set(key, { shape: look(value[key] as JsonValue, depth + 1, budget), isOptional: false });
  const shapes = [...fields.values()].map((field) => field.shape);
  const isMap = (keys.length >= FEWEST_KEYS_OF_ONE_KIND || areVariables(keys)) && areOfOneKind(shapes);
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

/** A word, as programs name fields: no dots, slashes or spaces, which paths, addresses and sentences have. */
const WORD = /^[$@_A-Za-z][\w$-]{0,47}$/;
const MOST_DIGITS = 4;
/** `x1` has one and `oauth2_step1` two; ids have more. */
const MOST_GROUPS_OF_DIGITS = 2;
const HEXADECIMAL = /^(?=.*\d)[\da-f_-]{8,}$/i;

/** Whether a key of an object reads as the name of a field. Other keys are data. */
export function isFieldName(key: string): boolean {
  const groups = key.match(/\d+/g) ?? [];
  const digits = groups.join("").length;
  return WORD.test(key) && digits <= MOST_DIGITS && groups.length <= MOST_GROUPS_OF_DIGITS && !HEXADECIMAL.test(key);
}

/** What a query or a program needs; of longer texts the beginning is looked at. In UTF-16 code units. */
const MOST_CHARACTERS = 20_000;

/** The words in the texts of a tool's input. Fields that they name, such as the columns of a query, are the caller's and not the tool's. */
export function wordsOfInput(input: JsonValue): ReadonlySet<string> {
  const words = new Set<string>();
  let left = MOST_CHARACTERS;
  const collect = (value: JsonValue): void => {
    if (left <= 0 || value === null) return;
    if (typeof value === "object") {
      for (const member of Array.isArray(value) ? value : Object.values(value)) collect(member);
    } else if (typeof value === "string") {
      for (const [word] of value.slice(0, left).matchAll(/[$\w-]+/g)) words.add(word);
      left -= value.length;
    }
  };
  collect(input);
  return words;
}
