import { followObject, type Placed, pointTo } from "../document/pointer.ts";
import { printInt64 } from "../int64.ts";
import {
  defined,
  arrayAt,
  fromMembers,
  type Json,
  type JsonObject,
  isObject,
  member,
  objectAt,
  textAt,
} from "../json.ts";
import { type MediaType, type Operation, type Parameter, toPlaceKey } from "../operations.ts";
import { isJson, isText } from "../media-types.ts";
import { boundText } from "./convert-schema.ts";
import type { SchemaLibrary } from "./schema-library.ts";

/** One argument of a tool, and where it goes in the request. */
export interface Argument {
  /** Its name for the caller. */
  name: string;
  /** Its name in the request. */
  wireName: string;
  target: Parameter | "field" | "body";
  required: boolean;
  schema: Json;
}

/** How the body of a request is written. */
export interface BodyPlan {
  mediaType: string;
  kind: "json" | "form" | "multipart" | "text" | "binary";
  required: boolean;
  /** How single fields are written: `contentType`, `style`, `explode`. */
  encoding: JsonObject;
  /** Prints JSON with integers of 64 bits that came as text; absent where they are numbers. */
  print?: ((value: Json) => string) | undefined;
}

/** All arguments of an operation. */
export interface ArgumentPlan {
  arguments: Argument[];
  body?: BodyPlan | undefined;
}

/** What stands for a file in arguments. */
const FILE: JsonObject = {
  type: "object",
  description: "A file.",
  properties: {
    base64: { type: "string", contentEncoding: "base64", description: "Its bytes, in Base64." },
    filename: { type: "string" },
    mediaType: { type: "string", description: "Such as image/png." },
  },
  required: ["base64"],
  additionalProperties: false,
};

/**
 * Plans the arguments of a tool: parameters and the fields of an object body side by side, or the body as `body`.
 * @param hidden parameters that are no arguments
 * @param optional a parameter that has a value without its argument
 */
export function planArguments(
  operation: Operation,
  library: SchemaLibrary,
  hidden: ReadonlySet<string>,
  optional?: Parameter,
): ArgumentPlan {
  const taken = new Set<string>();
  const shown = operation.parameters.filter(({ place, name }) => !hidden.has(toPlaceKey(place, name)));
  // What the path needs keeps its plain name.
  const inOrder = [...shown.filter(({ place }) => place === "path"), ...shown.filter(({ place }) => place !== "path")];
  const parameters = inOrder.map((parameter): Argument => {
    const name = claim(parameter.name, parameter.place, taken);
    return {
      ...{ name, wireName: parameter.name, target: parameter },
      required: parameter.required && parameter !== optional,
      schema: describeParameter(parameter, library.write(parameter.schema, "input")),
    };
  });
  const body = planBody(operation, library, taken);
  return { arguments: [...parameters, ...body.arguments], body: body.body };
}

/** Clients take only these characters in the names of arguments. */
function toArgumentName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 64);
  return plain === "" || plain === "__proto__" ? "value" : plain;
}

/** A name that no other argument has: the plain one, else with the place before it. */
function claim(wireName: string, place: string, taken: Set<string>): string {
  const plain = toArgumentName(wireName);
  const base = taken.has(plain) ? `${place}_${plain}`.slice(0, 64) : plain;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base.slice(0, 60)}_${number}`;
  taken.add(name);
  return name;
}

function describeParameter(parameter: Parameter, schema: Json): Json {
  if (!isObject(schema))
    return parameter.description === undefined ? schema : { description: boundText(parameter.description, 500) };
  const description = parameter.description ?? textAt(schema, "description");
  return fromMembers([
    ...Object.entries(schema),
    ["description", description === undefined ? undefined : boundText(description, 500)],
    ["deprecated", parameter.deprecated ? true : member(schema, "deprecated")],
    ["examples", member(schema, "examples") ?? exampleOf(parameter.example)],
  ]);
}

function exampleOf(example: Json | undefined): Json | undefined {
  return example === undefined || JSON.stringify(example).length > 200 ? undefined : [example];
}

interface PlannedBody {
  arguments: Argument[];
  body?: BodyPlan | undefined;
}

function planBody({ body, pointer }: Operation, library: SchemaLibrary, taken: Set<string>): PlannedBody {
  const media = body === undefined ? undefined : chooseMedia(body.content);
  if (body === undefined || media === undefined) return { arguments: [] };
  const kind = kindOf(media.mediaType);
  const schema: Placed = { value: member(media.value, "schema") ?? {}, pointer: pointTo(media.pointer, "schema") };
  const plan: BodyPlan = {
    mediaType: media.mediaType === "*/*" || media.mediaType === "application/*" ? "application/json" : media.mediaType,
    kind,
    required: body.required,
    encoding: objectAt(media.value, "encoding") ?? {},
    ...defined({
      print: library.int64 === "string" ? (value: Json) => printInt64(value, schema, library.root) : undefined,
    }),
  };
  const fields = kind === "text" || kind === "binary" ? undefined : listFields(schema, library, kind, pointer);
  if (fields !== undefined && fields.every(({ name }) => !taken.has(toArgumentName(name)))) {
    return { arguments: fields.map((field) => toField(field, body.required, taken)), body: plan };
  }
  const whole: Argument = {
    ...{ name: claim("body", "request", taken), wireName: "body", target: "body", required: body.required },
    schema: describeBody(kind, body.description, kind === "json" ? library.write(schema, "input") : undefined, fields),
  };
  return { arguments: [whole], body: plan };
}

const PREFERENCE: readonly ((mediaType: string) => boolean)[] = [
  (type) => type === "application/json",
  (type) => isJson(type),
  (type) => type === "application/x-www-form-urlencoded",
  (type) => type.startsWith("multipart/"),
  (type) => isText(type),
  () => true,
];

function chooseMedia(content: MediaType[]): MediaType | undefined {
  return PREFERENCE.map((fits) => content.find(({ mediaType }) => fits(mediaType))).find(
    (media) => media !== undefined,
  );
}

function kindOf(mediaType: string): BodyPlan["kind"] {
  if (isJson(mediaType)) return "json";
  if (mediaType.startsWith("application/x-www-form-urlencoded")) return "form";
  if (mediaType.startsWith("multipart/")) return "multipart";
  return isText(mediaType) ? "text" : "binary";
}

interface Field {
  name: string;
  required: boolean;
  schema: Json;
}

/** The members of a body that is an object with known members, and nothing else. */
function listFields(
  schema: Placed,
  library: SchemaLibrary,
  kind: BodyPlan["kind"],
  pointer: string,
): Field[] | undefined {
  const { value, pointer: at } = followObject(
    library.root,
    schema.value === true ? {} : schema.value,
    schema.pointer,
    "a schema",
  );
  const properties = objectAt(value, "properties");
  const isComposed = ["allOf", "anyOf", "oneOf", "not", "if", "patternProperties"].some(
    (name) => member(value, name) !== undefined,
  );
  const others = member(value, "additionalProperties");
  const isOpen = others === true || isObject(others);
  const isNullable =
    member(value, "nullable") === true || (Array.isArray(value["type"]) && value["type"].includes("null"));
  if (properties === undefined || isComposed || isOpen || isNullable || Object.keys(properties).length === 0)
    return undefined;
  const required = new Set(arrayAt(value, "required"));
  return Object.entries(properties).flatMap(([name, property]) => {
    const place: Placed = { value: property ?? {}, pointer: pointTo(at, "properties", name) };
    const found = isObject(property) ? followObject(library.root, property, pointer, "a schema").value : {};
    if (member(found, "readOnly") === true) return [];
    const schemaOfField = kind === "multipart" ? writePart(place, library) : library.write(place, "input");
    return [{ name, required: required.has(name), schema: schemaOfField }];
  });
}

/** A part of a form is a file where its schema says binary. */
function writePart(place: Placed, library: SchemaLibrary): Json {
  const { value } = followObject(library.root, place.value, place.pointer, "a schema");
  if (isFile(value)) return describeFile(value);
  const items = objectAt(value, "items");
  if (items !== undefined && isFile(followObject(library.root, items, place.pointer, "a schema").value)) {
    return { type: "array", items: FILE };
  }
  return library.write(place, "input");
}

function isFile(schema: JsonObject): boolean {
  const format = textAt(schema, "format");
  if (format === "binary" || format === "byte" || textAt(schema, "type") === "file") return true;
  return textAt(schema, "contentMediaType") !== undefined || textAt(schema, "contentEncoding") !== undefined;
}

function describeFile(schema: JsonObject): JsonObject {
  const description = textAt(schema, "description");
  return description === undefined ? FILE : { ...FILE, description: boundText(description, 500) };
}

function toField({ name, required, schema }: Field, isBodyRequired: boolean, taken: Set<string>): Argument {
  // A body that can be left out has no field that must be there.
  return {
    name: claim(name, "body", taken),
    wireName: name,
    target: "field",
    required: required && isBodyRequired,
    schema,
  };
}

function describeBody(
  kind: BodyPlan["kind"],
  text: string | undefined,
  json: Json | undefined,
  fields: Field[] | undefined,
): Json {
  const description = text === undefined ? {} : { description: boundText(text, 500) };
  if (kind === "text") return { type: "string", ...description };
  if (kind === "binary") return { ...FILE, ...description };
  if (kind === "json") return isObject(json) ? { ...json, ...description } : (json ?? {});
  const properties = fromMembers((fields ?? []).map(({ name, schema }) => [name, schema]));
  const required = (fields ?? []).filter((field) => field.required).map(({ name }) => name);
  const others = kind === "multipart" ? { anyOf: [{ type: "string" }, FILE] } : true;
  return {
    ...{ type: "object", properties, ...description },
    ...defined({
      required: required.length > 0 ? required : undefined,
      additionalProperties: fields === undefined ? others : undefined,
    }),
  };
}
