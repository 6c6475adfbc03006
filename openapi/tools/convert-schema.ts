import { type Placed, pointTo } from "../document/pointer.ts";
import { arrayAt, fromMembers, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";
import { isInt64 } from "../int64.ts";
import { convertUnions } from "./convert-unions.ts";
import { stripControls } from "../openapi-error.ts";

/** Arguments have no read-only members, results no write-only ones. */
export type Direction = "input" | "output";

/** How an integer of 64 bits is given. */
export type Int64 = "number" | "string";

/** What a schema refers to. */
export type WriteReference = (reference: string, from: string) => Json;

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
/** Kept as they are, where they have the right type. */
const NUMBERS = ["maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties", "minContains"];
/** Members that the document does not know: refused in arguments, where they are a mistake; in answers they are new. */
const CLOSING = ["additionalProperties", "unevaluatedProperties", "unevaluatedItems"];
/** Of JSON Schema and OpenAPI; validators complain of others. */
const FORMATS = new Set([
  ...["date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "regex"],
  ...["uri", "uri-reference", "uri-template", "json-pointer", "relative-json-pointer"],
  ...["int32", "int64", "float", "double", "password"],
]);
const MAX_ENUM = 500;
const MAX_DESCRIPTION = { input: 500, output: 160 } as const;
/** Longer examples cost more than they say. */
const MAX_EXAMPLE = 200;

/** How schemas are converted. */
export interface Conversion {
  root: JsonObject;
  direction: Direction;
  refer: WriteReference;
  int64: Int64;
  /** Notes that what was converted accepts more than the document says. */
  widen: () => void;
}

/** Says more of values than the conversion keeps, beside a reference or alone. */
const DROPPED = ["dependentRequired", "dependentSchemas", "dependencies", "additionalItems", "$dynamicRef"];
/** What may stand beside a reference and says nothing more of values. */
const BESIDE_REFERENCE = new Set(["$ref", "description", "summary", "title", "nullable", "x-nullable", "deprecated"]);

/** Converts a schema of OpenAPI 3.0 or 3.1 into JSON Schema 2020-12, with only those keywords that say something about values. */
export function convertSchema({ value, pointer }: Placed, outer: Conversion): Json {
  if (typeof value === "boolean") return value;
  if (!isObject(value)) return {};
  let isExact = true;
  const widen = (): void => {
    isExact = false;
    outer.widen();
  };
  const conversion = { ...outer, widen };
  const { direction, refer, int64, root } = conversion;
  const convert = (child: Json | undefined, ...names: (string | number)[]): Json =>
    convertSchema({ value: child ?? {}, pointer: pointTo(pointer, ...names) }, conversion);
  const reference = textAt(value, "$ref");
  const described = describe(value, direction);
  if (reference !== undefined) {
    if (Object.keys(value).some((name) => !BESIDE_REFERENCE.has(name))) widen();
    const target = refer(reference, pointer);
    return isObject(target) ? orNull(value, { ...target, ...described }) : target;
  }
  if (int64 === "string" && isInt64(value))
    return fromMembers([...Object.entries(described), ...writeInt64(value, direction)]);
  const hasOwnType = member(value, "type") !== undefined;
  const type = convertType(value);
  if ((hasOwnType && type === undefined) || DROPPED.some((name) => Object.hasOwn(value, name))) widen();
  if (arrayAt(value, "oneOf").length > 0) widen();
  const converted = fromMembers([
    ...Object.entries(described),
    ["type", type],
    ...convertValues(value, widen),
    ...convertBounds(value, widen),
    ...convertObject(value, conversion, convert),
    ...convertArray(value, convert, widen),
    ...convertUnions({ value, pointer }, root, convert),
    ...convertTests(value, pointer, conversion),
  ]);
  const closed = { ...converted, ...convertClosing(value, conversion, convert, isExact) };
  return hasOwnType ? closed : orNull(value, closed);
}

/** What refuses members that the document does not know. A member of a part that is left out, as one with a pattern can be, would be refused as well. */
function convertClosing(
  value: JsonObject,
  { direction, widen }: Conversion,
  convert: Convert,
  isExact: boolean,
): JsonObject {
  const isOpen = Object.keys(objectAt(value, "patternProperties") ?? {}).some((name) => !isPattern(name));
  const isKept = (name: string, said: Json | undefined): boolean =>
    (said !== false || direction === "input") && !isOpen && (isExact || name === "additionalProperties");
  const members = CLOSING.map((name) => [name, member(value, name)] as const).filter(
    ([, said]) => said === false || isObject(said),
  );
  if (members.some(([name, said]) => !isKept(name, said))) widen();
  return fromMembers(
    members.filter(([name, said]) => isKept(name, said)).map(([name, said]) => [name, convert(said, name)]),
  );
}

/** What is tested and not said: where a test lets more through than the document says, it would refuse what that allows. */
function convertTests(value: JsonObject, pointer: string, conversion: Conversion): Members {
  const convert = (name: string, widen = conversion.widen): Json | undefined => {
    const child = member(value, name);
    if (!isSchema(child)) return undefined;
    return convertSchema({ value: child ?? {}, pointer: pointTo(pointer, name) }, { ...conversion, widen });
  };
  const tryConvert = (name: string): { converted: Json | undefined; isExact: boolean } => {
    let isExact = true;
    const converted = convert(name, () => {
      isExact = false;
      conversion.widen();
    });
    return { converted, isExact };
  };
  const [not, condition, contains] = [tryConvert("not"), tryConvert("if"), tryConvert("contains")];
  const isTested = condition.isExact && condition.converted !== undefined;
  return [
    ["not", not.isExact ? not.converted : undefined],
    ["if", isTested ? condition.converted : undefined],
    ...(isTested ? ["then", "else"] : []).map((name) => [name, convert(name)] as const),
    ["contains", contains.converted],
    ["maxContains", contains.isExact ? count(member(value, "maxContains")) : undefined],
    ["propertyNames", convert("propertyNames")],
  ];
}

/** A text of digits; as an argument also a number. */
function writeInt64(value: JsonObject, direction: Direction): Members {
  const isNull = isNullable(value) || [member(value, "type")].flat().includes("null");
  const types = [...(direction === "input" ? ["integer"] : []), "string", ...(isNull ? ["null"] : [])];
  const listed = arrayAt(value, "enum").filter((one) => typeof one === "number");
  const texts = [...listed.map(String), ...(direction === "input" ? listed : []), ...(isNull ? [null] : [])];
  return [
    ["type", types.length === 1 ? types[0] : types],
    ["pattern", "^-?[0-9]+$"],
    ["enum", listed.length === 0 || listed.length > MAX_ENUM ? undefined : texts],
  ];
}

type Convert = (child: Json | undefined, ...names: (string | number)[]) => Json;
type Members = (readonly [string, Json | undefined])[];

function isSchema(value: Json | undefined): boolean {
  return isObject(value) || typeof value === "boolean";
}

/** The word of 3.0, and the extension that Swagger 2.0 has for it. */
function isNullable(value: JsonObject): boolean {
  return member(value, "nullable") === true || member(value, "x-nullable") === true;
}

/** `nullable` beside a reference or a composition has no type to add null to. */
function orNull(value: JsonObject, converted: JsonObject): JsonObject {
  if (!isNullable(value) || Object.keys(converted).length === 0) return converted;
  return { anyOf: [converted, { type: "null" }] };
}

function describe(value: JsonObject, direction: Direction): JsonObject {
  const text = textAt(value, "description") ?? (direction === "input" ? textAt(value, "title") : undefined);
  const deprecated = member(value, "deprecated") === true ? true : undefined;
  const description = text === undefined ? undefined : boundText(text, MAX_DESCRIPTION[direction]);
  return fromMembers([
    ["description", description === "" ? undefined : description],
    ["deprecated", deprecated],
  ]);
}

/** A text of the document: without control characters, and cut at a length. */
export function boundText(text: string, maxLength: number): string {
  const plain = stripControls(text.replaceAll("\r\n", "\n"))
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1).trimEnd()}…` : plain;
}

function convertType(value: JsonObject): Json | undefined {
  const said = member(value, "type");
  const types = (Array.isArray(said) ? said : [said]).flatMap((type) =>
    // `file` is of Swagger 2.0.
    typeof type === "string" ? [type === "file" ? "string" : type] : [],
  );
  // A type that JSON Schema does not know says nothing.
  if (types.length === 0 || !types.every((type) => TYPES.has(type))) return undefined;
  if (isNullable(value) && !types.includes("null")) types.push("null");
  return types.length === 1 ? types[0] : types;
}

function convertValues(value: JsonObject, widen: () => void): Members {
  const listed = member(value, "enum");
  const isUsable = Array.isArray(listed) && listed.length > 0 && listed.length <= MAX_ENUM;
  if (listed !== undefined && (!isUsable || (isNullable(value) && !listed.includes(null)))) widen();
  const values = isUsable ? [...listed, ...(isNullable(value) ? [null] : [])] : undefined;
  const format = textAt(value, "format");
  const isEncoded = format === "byte" || format === "base64";
  const example = member(value, "example");
  const examples = [...arrayAt(value, "examples"), ...(example === undefined ? [] : [example])];
  return [
    ["enum", values && distinct(values)],
    ["const", member(value, "const")],
    ["format", format !== undefined && FORMATS.has(format) ? format : undefined],
    ["contentEncoding", isEncoded ? "base64" : textAt(value, "contentEncoding")],
    ["default", boundValue(member(value, "default"))],
    ["examples", boundExamples(examples)],
  ];
}

/** Values that were not there before. */
export function distinct(values: Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function boundValue(value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  // A reference in an example stands for nothing there, but some readers would follow it.
  return text.length > MAX_EXAMPLE || text.includes('"$ref"') ? undefined : cleanTexts(value);
}

function boundExamples(examples: Json[]): Json | undefined {
  const kept = examples.slice(0, 3).flatMap((example) => {
    const bounded = boundValue(example);
    return bounded === undefined ? [] : [bounded];
  });
  return kept.length === 0 ? undefined : kept;
}

/** Examples are read by models too. */
function cleanTexts(value: Json): Json {
  if (typeof value === "string") return stripControls(value);
  if (Array.isArray(value)) return value.map(cleanTexts);
  if (!isObject(value)) return value;
  return fromMembers(
    Object.entries(value).map(([name, child]) => [name, child === undefined ? child : cleanTexts(child)]),
  );
}

function convertBounds(value: JsonObject, widen: () => void): Members {
  const bound = (name: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum"): Members => {
    const limit = member(value, name);
    const isExclusive = member(value, exclusive);
    // In 3.0 it is a switch, from 3.1 on the limit itself.
    if (typeof isExclusive === "number")
      return [
        [exclusive, isExclusive],
        [name, number(limit)],
      ];
    return [[isExclusive === true ? exclusive : name, number(limit)]];
  };
  const multiple = number(member(value, "multipleOf"));
  const pattern = textAt(value, "pattern");
  if (pattern !== undefined && !isPattern(pattern)) widen();
  return [
    ...bound("minimum", "exclusiveMinimum"),
    ...bound("maximum", "exclusiveMaximum"),
    ["multipleOf", multiple !== undefined && multiple > 0 ? multiple : undefined],
    ["pattern", pattern !== undefined && isPattern(pattern) ? pattern : undefined],
    ["uniqueItems", member(value, "uniqueItems") === true ? true : undefined],
    ...NUMBERS.map((name) => [name, count(member(value, name))] as const),
  ];
}

function number(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function count(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A pattern of another dialect would break the check of the client. */
function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function convertObject(value: JsonObject, { direction, widen }: Conversion, convert: Convert): Members {
  const hidden = direction === "input" ? "readOnly" : "writeOnly";
  const properties = objectAt(value, "properties") ?? {};
  const shown = Object.keys(properties).filter((name) => member(objectAt(properties, name) ?? {}, hidden) !== true);
  const required = arrayAt(value, "required").filter(
    (name): name is string => typeof name === "string" && (!Object.hasOwn(properties, name) || shown.includes(name)),
  );
  if (shown.length < Object.keys(properties).length) widen();
  const patterns = objectAt(value, "patternProperties");
  if (Object.keys(patterns ?? {}).some((name) => !isPattern(name))) widen();
  return [
    [
      "properties",
      shown.length === 0
        ? undefined
        : fromMembers(shown.map((name) => [name, convert(properties[name], "properties", name)])),
    ],
    ["required", required.length === 0 ? undefined : [...new Set(required)]],
    [
      "patternProperties",
      patterns === undefined
        ? undefined
        : fromMembers(
            Object.entries(patterns)
              .filter(([name]) => isPattern(name))
              .map(([name, child]) => [name, convert(child, "patternProperties", name)]),
          ),
    ],
  ];
}

function convertArray(value: JsonObject, convert: Convert, widen: () => void): Members {
  const items = member(value, "items");
  if (items !== undefined && !isSchema(items)) widen();
  const prefix = member(value, "prefixItems");
  return [
    ["items", isSchema(items) ? convert(items, "items") : undefined],
    [
      "prefixItems",
      Array.isArray(prefix) && prefix.length > 0
        ? prefix.map((item, index) => convert(item, "prefixItems", index))
        : undefined,
    ],
  ];
}
