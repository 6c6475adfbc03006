import { type Placed, pointTo } from "../document/pointer.ts";
import { printInt64 } from "../int64.ts";
import { defined, fromMembers, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";
import { type MediaType, type Operation, type Parameter, toPlaceKey } from "../operations.ts";
import { isJson, isText } from "../media-types.ts";
import { nameArguments, toArgumentName } from "./argument-names.ts";
import { type Field, FILE, listFields } from "./body-fields.ts";
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
  /** The form that is sent in its place as soon as one of these fields, which are files, is given. */
  withFiles?: { plan: BodyPlan; fields: ReadonlySet<string> } | undefined;
  /** The arguments that a body which may be absent needs, where there is one. */
  needed: readonly string[];
}

/** All arguments of an operation. */
export interface ArgumentPlan {
  arguments: Argument[];
  /** Those whose values the command gives itself. */
  fixed: Argument[];
  body?: BodyPlan | undefined;
}

interface Part {
  name: string;
  place: string;
  target: Argument["target"];
  required: boolean;
  schema: Json;
}

/**
 * Plans the arguments of a tool: parameters and the fields of an object body side by side, or the body as `body`.
 * @param hidden parameters that the command gives itself, as `header x-api-key`
 * @param fixed names of parameters and fields whose values the command gives
 * @param optional a parameter that has a value without its argument
 */
export function planArguments(
  operation: Operation,
  library: SchemaLibrary,
  hidden: ReadonlySet<string>,
  fixed: ReadonlySet<string>,
  optional: Parameter | undefined,
): ArgumentPlan {
  const all = operation.parameters.filter(({ place, name }) => !hidden.has(toPlaceKey(place, name)));
  const shown = [...all.filter(({ place }) => place === "path"), ...all.filter(({ place }) => place !== "path")];
  const parameters = shown.map((parameter): Part => ({
    ...{ name: parameter.name, place: parameter.place, target: parameter },
    required: parameter.required && parameter !== optional,
    schema: describeParameter(parameter, library.write(parameter.schema, "input")),
  }));
  const body = planBody(operation, library, new Set(shown.map(({ name }) => toArgumentName(name))));
  const parts = [...parameters, ...body.parts];
  const isFixed = ({ name, target }: Part): boolean => target !== "body" && fixed.has(name);
  const named = nameArguments(parts.filter((part) => !isFixed(part)));
  const needed = body.needed.filter((name) => !fixed.has(name));
  const nameOf = (wireName: string): string | undefined =>
    [...named].find(([{ name, target }]) => target === "field" && name === wireName)?.[1];
  return {
    arguments: [...named].map(([part, name]) => toArgument(part, name)),
    fixed: parts.filter(isFixed).map((part) => toArgument(part, part.name)),
    body: body.body && { ...body.body, needed: needed.flatMap((name) => nameOf(name) ?? []) },
  };
}

function toArgument({ name: wireName, place, target, required, schema }: Part, name: string): Argument {
  return {
    name,
    wireName,
    target,
    required,
    schema: target === "body" ? schema : sayWireName(schema, name, { wireName, place }),
  };
}

/** A changed name is no word of the API: its description begins with the one that is. */
function sayWireName(schema: Json, name: string, { wireName, place }: { wireName: string; place: string }): Json {
  if (name === wireName) return schema;
  const said = boundText(`\`${wireName}\` in the ${place}.`, 100);
  const rest = isObject(schema) ? textAt(schema, "description") : undefined;
  const description = rest === undefined ? said : `${said} ${rest}`;
  if (schema === false) return schema;
  return isObject(schema) ? { ...schema, description } : { description };
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
  parts: Part[];
  body?: BodyPlan | undefined;
  /** The fields that a body which may be absent must have. */
  needed: string[];
}

function planBody({ body }: Operation, library: SchemaLibrary, taken: ReadonlySet<string>): PlannedBody {
  const chosen = body === undefined ? undefined : chooseBody(body.content, library);
  if (body === undefined || chosen === undefined) return { parts: [], needed: [] };
  const { media, fields, form } = chosen;
  const plan = toPlan(media, body.required, library);
  const isFlat = fields !== undefined && fields.every(({ name }) => !taken.has(toArgumentName(name)));
  if (isFlat) {
    const files = new Set(fields.filter(({ isFile }) => isFile).map(({ name }) => name));
    const withFiles = form && { plan: toPlan(form, body.required, library), fields: files };
    return {
      parts: fields.map(({ name, required, schema }) => ({
        ...{ name, place: "body", target: "field", schema },
        required: required && body.required,
      })),
      body: { ...plan, withFiles },
      needed: body.required ? [] : fields.filter(({ required }) => required).map(({ name }) => name),
    };
  }
  const json = plan.kind === "json" ? library.write(schemaOf(media), "input") : undefined;
  const schema = describeBody(plan.kind, body.description, json, fields);
  return {
    parts: [{ name: "body", place: "request", target: "body", required: body.required, schema }],
    body: plan,
    needed: [],
  };
}

interface ChosenBody {
  media: MediaType;
  /** Absent where the body is one argument. */
  fields: Field[] | undefined;
  /** The form that carries the fields which are files. */
  form?: MediaType | undefined;
}

/** The media type that a body is written in. Where another one alone carries files, it is the one for files; for all, where fields cannot stand side by side. */
function chooseBody(content: MediaType[], library: SchemaLibrary): ChosenBody | undefined {
  const media = chooseMedia(content);
  if (media === undefined) return undefined;
  const kind = kindOf(media.mediaType);
  const fieldsOf = (one: MediaType): Field[] | undefined =>
    listFields(schemaOf(one), library, kindOf(one.mediaType) === "multipart");
  const fields = kind === "text" || kind === "binary" ? undefined : fieldsOf(media);
  const form = content.find(({ mediaType }) => kindOf(mediaType) === "multipart");
  if (form === undefined || form === media || kind === "text" || kind === "binary") return { media, fields };
  const ofForm = fieldsOf(form);
  const files = ofForm?.filter(({ isFile }) => isFile) ?? [];
  if (ofForm === undefined || files.length === 0) return { media, fields };
  if (fields === undefined) return { media: form, fields: ofForm };
  const names = new Set(files.map(({ name }) => name));
  const isNeeded = ({ name, required }: Field): boolean =>
    required && fields.some((field) => field.name === name && field.required);
  const ofFiles = files.map((field) => ({ ...field, required: isNeeded(field) }));
  return { media, fields: [...fields.filter(({ name }) => !names.has(name)), ...ofFiles], form };
}

function schemaOf({ value, pointer }: MediaType): Placed {
  return { value: member(value, "schema") ?? {}, pointer: pointTo(pointer, "schema") };
}

function toPlan(media: MediaType, required: boolean, library: SchemaLibrary): BodyPlan {
  const { mediaType } = media;
  const schema = schemaOf(media);
  return {
    mediaType: mediaType === "*/*" || mediaType === "application/*" ? "application/json" : mediaType,
    kind: kindOf(mediaType),
    ...{ required, needed: [] },
    encoding: objectAt(media.value, "encoding") ?? {},
    ...defined({
      print: library.int64 === "string" ? (value: Json) => printInt64(value, schema, library.root) : undefined,
    }),
  };
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
