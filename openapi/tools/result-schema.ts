import { follow, type Placed, pointTo } from "../document/pointer.ts";
import { defined, arrayAt, type Json, type JsonObject, isObject, member, objectAt } from "../json.ts";
import { int64ToTexts } from "../int64.ts";
import { isJson, isText } from "../media-types.ts";
import type { MediaType, Operation, ResponseCase } from "../operations.ts";
import { distinct } from "./convert-schema.ts";
import type { SchemaLibrary } from "./schema-library.ts";

/** What the structured result of a tool is. */
export interface ResultPlan {
  /** The body itself where every success has an object; `{ body, links }` where one has something else. */
  isWrapped: boolean;
  /** Whether the body may be a text, or is nothing else: then a text is the result as it came, without quotes of JSON. */
  text: "no" | "also" | "only";
  /** Makes texts of the integers of 64 bits in a marked answer; absent where they stay numbers. */
  toTexts?: ((marked: Json) => Json) | undefined;
  /** Absent where the document says nothing, or nothing but files comes back. */
  schema?: JsonObject | undefined;
}

/** Where a list goes on, by relation, such as `next`: the answers that have pages are lists. */
const LINKS = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Of the Link header, by relation",
};

/** A longer output schema costs a client more than its types are worth. */
const MAX_OUTPUT = 24 * 1024;

/** Plans the result of an operation from its success responses; several statuses are a union. */
export function planResult(operation: Operation, library: SchemaLibrary): ResultPlan {
  const bodies = listSuccesses(operation.responses).map((response) => bodyOf(response));
  const schemas = bodies.filter((body) => typeof body === "object");
  const toTexts =
    library.int64 === "string" ? (marked: Json) => int64ToTexts(marked, schemas, library.root) : undefined;
  if (schemas.length === 0)
    return {
      isWrapped: bodies.includes("text"),
      text: "only",
      schema: bodies.includes("text") ? wrap(["text"], [], library) : undefined,
    };
  if (bodies.length === schemas.length && schemas.every((schema) => isObjectSchema(library.root, schema))) {
    return {
      isWrapped: false,
      text: "no",
      toTexts,
      schema: library.close(writeObject(schemas, library), "output", MAX_OUTPUT),
    };
  }
  const texts = schemas.map((schema) => textOf(library.root, schema));
  const text = texts.every((one) => one === "only") ? "only" : texts.every((one) => one === "no") ? "no" : "also";
  return { isWrapped: true, text, toTexts, schema: wrap(bodies, schemas, library) };
}

/** Whether a value that fits a schema may be a text. What is composed may be. */
function textOf(root: JsonObject, schema: Placed): ResultPlan["text"] {
  const { value } = follow(root, schema.value, schema.pointer);
  const type = isObject(value) ? member(value, "type") : undefined;
  const types = [type].flat().filter((one) => one !== "null" && one !== undefined);
  if (types.length === 0)
    return isObject(value) && ["properties", "items"].some((name) => Object.hasOwn(value, name)) ? "no" : "also";
  if (types.every((one) => one === "string")) return "only";
  return types.includes("string") ? "also" : "no";
}

/** The responses that are no error; `default` where there is no other. */
export function listSuccesses(responses: ResponseCase[]): ResponseCase[] {
  const successes = responses.filter(({ status }) => status.startsWith("2"));
  return successes.length > 0 ? successes : responses.filter(({ status }) => status === "default");
}

/** The media type of a response that a result is made from: JSON before text. */
export function chooseAnswer(content: MediaType[]): MediaType | undefined {
  return content.find(({ mediaType }) => isJson(mediaType)) ?? content.find(({ mediaType }) => isText(mediaType));
}

type Body = Placed | "text" | "none";

function bodyOf({ content }: ResponseCase): Body {
  const media = chooseAnswer(content);
  if (media === undefined) return "none";
  if (!isJson(media.mediaType)) return "text";
  return { value: member(media.value, "schema") ?? {}, pointer: pointTo(media.pointer, "schema") };
}

function wrap(bodies: Body[], schemas: Placed[], library: SchemaLibrary): JsonObject {
  const written = schemas.map((schema) => library.write(schema, "output"));
  if (bodies.includes("text")) written.push({ type: "string" });
  const schema = {
    type: "object",
    properties: { body: toUnion(written), ...defined({ links: schemas.length > 0 ? LINKS : undefined }) },
    ...defined({ required: bodies.includes("none") ? undefined : ["body"] }),
  };
  return library.close(schema, "output", MAX_OUTPUT);
}

/** MCP wants `type: "object"` at the root. */
function writeObject(schemas: Placed[], library: SchemaLibrary): JsonObject {
  const union = toUnion(schemas.map((schema) => library.write(schema, "output")));
  const opened = library.open(union, "output");
  return isObject(opened) ? { ...opened, type: "object" } : { type: "object" };
}

function toUnion(schemas: Json[]): Json {
  const choices = distinct(schemas);
  return choices.length === 1 ? (choices[0] ?? {}) : { anyOf: choices };
}

/** Whether every value that fits is an object. `known` has the answers of places; one that is asked within itself says no. */
function isObjectSchema(root: JsonObject, schema: Placed, known = new Map<string, boolean>()): boolean {
  const { value, pointer } = follow(root, schema.value, schema.pointer);
  const before = known.get(pointer);
  if (before !== undefined) return before;
  known.set(pointer, false);
  const answer = isObject(value) && isObjectHere(root, { value, pointer }, known);
  known.set(pointer, answer);
  return answer;
}

function isObjectHere(root: JsonObject, { value, pointer }: Placed<JsonObject>, known: Map<string, boolean>): boolean {
  if (member(value, "nullable") === true) return false;
  const type = member(value, "type");
  if (type !== undefined)
    return type === "object" || (Array.isArray(type) && type.length === 1 && type[0] === "object");
  if (objectAt(value, "properties") !== undefined) return true;
  const branches = (name: string): boolean[] =>
    arrayAt(value, name).map((branch, index) =>
      isObjectSchema(root, { value: branch, pointer: pointTo(pointer, name, index) }, known),
    );
  if (branches("allOf").includes(true)) return true;
  const choices = [...branches("anyOf"), ...branches("oneOf")];
  return choices.length > 0 && !choices.includes(false);
}
