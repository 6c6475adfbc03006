import {
  arrayAt,
  defined,
  fromMembers,
  type Json,
  type JsonObject,
  isObject,
  member,
  objectAt,
  textAt,
} from "../json.ts";
import { invalidAt, type Placed } from "./pointer.ts";

/** What says something about the values of a parameter, an item or a header of Swagger 2.0; a schema of 3.0 has the same words for it. */
const VALUE_KEYWORDS = [
  ...["type", "format", "items", "default", "enum", "pattern", "minLength", "maxLength", "minItems", "maxItems"],
  ...["uniqueItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "x-nullable"],
];

/** How a list is written: one style of 3.0 for each `collectionFormat`, and one of our own for tabs, which 3.0 has no word for. */
const STYLES: Readonly<Record<string, string>> = {
  csv: "form",
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
  multi: "form",
};

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const JSON_TYPE = "application/json";

/** The parameters of an operation of Swagger 2.0 as 3.0 writes them. */
export interface UpgradedParameters {
  parameters: Json[];
  requestBody?: JsonObject | undefined;
}

/** The schema of a parameter, an item or a header: what 2.0 writes beside its name. */
function schemaOf(value: JsonObject): JsonObject {
  const schema = fromMembers(VALUE_KEYWORDS.map((name) => [name, member(value, name)]));
  return textAt(value, "type") === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

/**
 * Splits the parameters of an operation of Swagger 2.0 into the parameters and the body of OpenAPI 3.0.
 * @param consumes the media types that the operation or its document takes
 */
export function upgradeParameters(
  list: readonly Placed<JsonObject>[],
  consumes: readonly string[],
): UpgradedParameters {
  const of = (place: string): Placed<JsonObject>[] => list.filter(({ value }) => textAt(value, "in") === place);
  const body = of("body").at(-1);
  const fields = of("formData");
  const others = list.filter(({ value }) => !["body", "formData"].includes(textAt(value, "in") ?? ""));
  if (body !== undefined && fields.length > 0) {
    throw invalidAt(body.pointer, "an operation has a body and fields of a form", "Keep one of them.");
  }
  const requestBody = body === undefined ? makeForm(fields, consumes) : makeBody(body.value, consumes);
  return { parameters: others.map(({ value }) => upgradeParameter(value)), requestBody };
}

function upgradeParameter(value: JsonObject): JsonObject {
  const kept = ["name", "in", "description", "required", "deprecated", "allowEmptyValue"];
  return fromMembers([
    ...kept.map((name) => [name, member(value, name)] as const),
    ["schema", schemaOf(value)],
    ["example", member(value, "x-example") ?? member(value, "example")],
    ...Object.entries(mannerOf(value)),
  ]);
}

/** Only a list has one. A path and a header know no repetition. */
function mannerOf(value: JsonObject): JsonObject {
  if (textAt(value, "type") !== "array") return {};
  const format = textAt(value, "collectionFormat") ?? "csv";
  const place = textAt(value, "in");
  const isSimple = place === "path" || place === "header";
  const style = STYLES[format] ?? "form";
  const inner = separatorsOf(objectAt(value, "items"));
  return {
    style: isSimple && style === "form" ? "simple" : style,
    explode: format === "multi" && !isSimple,
    ...defined({ "x-item-separators": inner.length === 0 ? undefined : inner }),
  };
}

const SEPARATORS: Readonly<Record<string, string>> = { csv: ",", ssv: " ", tsv: "\t", pipes: "|" };

/** What stands between the items of lists within a list, from the outermost to the innermost. */
function separatorsOf(items: JsonObject | undefined): string[] {
  if (items === undefined || textAt(items, "type") !== "array") return [];
  const own = SEPARATORS[textAt(items, "collectionFormat") ?? "csv"] ?? ",";
  return [own, ...separatorsOf(objectAt(items, "items"))];
}

function makeBody(value: JsonObject, consumes: readonly string[]): JsonObject {
  const examples = objectAt(value, "x-example") ?? objectAt(value, "x-examples") ?? {};
  const types = consumes.length > 0 ? consumes : [JSON_TYPE];
  const content = fromMembers(
    types.map((type) => [
      type,
      { schema: member(value, "schema") ?? {}, ...defined({ example: member(examples, type) }) },
    ]),
  );
  return { ...describedBy(value), required: member(value, "required") === true, content };
}

function describedBy(value: JsonObject): JsonObject {
  return defined({ description: textAt(value, "description") });
}

/** A form that is needed as soon as one of its fields is. A file goes by multipart alone; what no form says is the plain one. */
function makeForm(fields: readonly Placed<JsonObject>[], consumes: readonly string[]): JsonObject | undefined {
  if (fields.length === 0) return undefined;
  for (const { value, pointer } of fields) {
    if (!textAt(value, "name")) throw invalidAt(pointer, "the parameter has no name", "Add a name.");
  }
  const hasFile = fields.some(({ value }) => textAt(value, "type") === "file");
  const said = consumes.filter((type) => isForm(type) && !(hasFile && type.toLowerCase().startsWith(FORM)));
  const types = said.length > 0 ? said : [hasFile ? MULTIPART : FORM];
  const required = fields.filter(({ value }) => member(value, "required") === true);
  const nameOf = ({ value }: Placed<JsonObject>): string => textAt(value, "name") ?? "";
  const properties = fields.map(
    (field) => [nameOf(field), { ...schemaOf(field.value), ...describedBy(field.value) }] as const,
  );
  const encoding = fields
    .map((field) => [nameOf(field), mannerOf(field.value)] as const)
    .filter(([, manner]) => Object.keys(manner).length > 0);
  const media = {
    schema: {
      type: "object",
      properties: fromMembers(properties),
      ...defined({ required: required.length === 0 ? undefined : required.map(nameOf) }),
    },
    ...defined({ encoding: encoding.length === 0 ? undefined : fromMembers(encoding) }),
  };
  return { required: required.length > 0, content: fromMembers(types.map((type) => [type, media])) };
}

function isForm(mediaType: string): boolean {
  return [FORM, MULTIPART].some((form) => mediaType.toLowerCase().startsWith(form));
}

/** The content of an answer; one that is a file is no JSON, also where the document says JSON for all of its answers. */
export function makeContent(response: JsonObject, produces: readonly string[]): JsonObject | undefined {
  const schema = objectAt(response, "schema");
  const examples = objectAt(response, "examples") ?? {};
  if (schema === undefined && Object.keys(examples).length === 0) return undefined;
  const isFile = schema !== undefined && textAt(schema, "type") === "file";
  const ofFiles = produces.filter((type) => !/json/i.test(type));
  const types = isFile ? orElse(ofFiles, "application/octet-stream") : orElse(produces, JSON_TYPE);
  const content = isFile ? { ...schema, type: "string", format: "binary" } : schema;
  return fromMembers(
    [...new Set([...types, ...(schema === undefined ? Object.keys(examples) : [])])].map((type) => [
      type,
      defined({ schema: content, example: member(examples, type) }),
    ]),
  );
}

function orElse(types: readonly string[], other: string): readonly string[] {
  return types.length > 0 ? types : [other];
}

/** The texts of a list of media types or schemes; absent where there is no list, since an empty one takes back the list of the document. */
export function textsAt(value: JsonObject, name: string): string[] | undefined {
  if (!Array.isArray(member(value, name))) return undefined;
  return arrayAt(value, name).filter((one) => typeof one === "string");
}

/** The headers of an answer, each with its schema. */
export function upgradeHeaders(headers: JsonObject): JsonObject {
  return fromMembers(
    Object.entries(headers).map(([name, header]) => [
      name,
      isObject(header) ? { ...describedBy(header), schema: schemaOf(header) } : header,
    ]),
  );
}
