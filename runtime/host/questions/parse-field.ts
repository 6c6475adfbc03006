import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { Choice, FieldKind, QuestionField } from "../../../schemas/run/question.ts";
import { hasInvisibleText } from "../../../schemas/text/visible-text.ts";
import { toShownText } from "./shown-text.ts";

const MAX_TITLE_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_CHOICES = 100;
const MAX_CHOICE_LENGTH = 200;
const FORMATS = ["email", "uri", "date", "date-time"] as const;

/** Reads one property of the flat schema that MCP allows in forms; undefined for any other. */
export function parseField(
  property: JsonValue,
): (Pick<QuestionField, "title" | "description"> & FieldKind) | undefined {
  if (!isJsonObject(property)) return undefined;
  const kind = parseKind(property);
  if (kind === undefined) return undefined;
  const { title, description } = property;
  return {
    ...withoutUndefined({
      title: typeof title === "string" ? toShownText(title, MAX_TITLE_LENGTH) : undefined,
      description: typeof description === "string" ? toShownText(description, MAX_DESCRIPTION_LENGTH) : undefined,
    }),
    ...kind,
  };
}

function parseKind(property: JsonObject): FieldKind | undefined {
  const { type, default: preset } = property;
  switch (type) {
    case "boolean":
      return { kind: "boolean", ...withoutUndefined({ preset: typeof preset === "boolean" ? preset : undefined }) };
    case "number":
    case "integer":
      return {
        kind: type,
        ...numbersOf(property, ["minimum", "maximum"]),
        ...withoutUndefined({ preset: typeof preset === "number" ? preset : undefined }),
      };
    case "string":
      return parseString(property);
    case "array":
      return parseChoices(property);
    default:
      return undefined;
  }
}

function parseString(property: JsonObject): FieldKind | undefined {
  const { default: preset, format } = property;
  const presets = typeof preset === "string" ? { preset } : {};
  if ("enum" in property || "oneOf" in property) {
    const choices = choicesOf(property, "oneOf");
    return choices && { kind: "choice", choices, ...presets };
  }
  const known = FORMATS.find((each) => each === format);
  return {
    kind: "text",
    ...numbersOf(property, ["minLength", "maxLength"]),
    ...withoutUndefined({ format: known }),
    ...presets,
  };
}

function parseChoices(property: JsonObject): FieldKind | undefined {
  const { items, default: preset } = property;
  const choices = isJsonObject(items) ? choicesOf(items, "anyOf") : undefined;
  if (choices === undefined) return undefined;
  const isList = Array.isArray(preset) && preset.every((value) => typeof value === "string");
  return {
    kind: "choices",
    choices,
    ...numbersOf(property, ["minItems", "maxItems"]),
    ...withoutUndefined({ preset: isList ? preset : undefined }),
  };
}

/** `enum` with or without `enumNames`, or a list of constants with titles. */
function choicesOf(schema: JsonObject, titled: "anyOf" | "oneOf"): Choice[] | undefined {
  const { enum: values, enumNames: names, [titled]: options } = schema;
  const listed = Array.isArray(values)
    ? values.map((value, at) => [value, Array.isArray(names) ? names[at] : undefined])
    : Array.isArray(options)
      ? options.map((option) => (isJsonObject(option) ? [option["const"], option["title"]] : []))
      : [];
  if (listed.length === 0 || listed.length > MAX_CHOICES) return undefined;
  const choices: Choice[] = [];
  for (const [value, title] of listed) {
    if (typeof value !== "string" || value.length > MAX_CHOICE_LENGTH || hasInvisibleText(value)) return undefined;
    choices.push({ value, title: toShownText(typeof title === "string" ? title : value, MAX_TITLE_LENGTH) });
  }
  return choices;
}

function numbersOf<Key extends string>(property: JsonObject, keys: readonly Key[]): { [key in Key]?: number } {
  const entries = keys.flatMap((key) => {
    const value = property[key];
    return typeof value === "number" ? [[key, value] as const] : [];
  });
  return Object.fromEntries(entries) as { [key in Key]?: number };
}
