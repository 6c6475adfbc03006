import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { QuestionField, ServerQuestion, Choice, FieldKind } from "../../../schemas/run/question.ts";
import { isSecureUrl } from "../../mcp/oauth/is-secure-url.ts";
import { toShownText } from "./shown-text.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { hasInvisibleText } from "../../../schemas/text/visible-text.ts";

/** A question that can be put to a person, or what is wrong with it, in our own words. */
export type Parsed = { ok: true; question: ServerQuestion } | { ok: false; problem: string };

const MAX_FIELDS = 30;
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 300;
const MAX_URL_LENGTH = 2_000;
/** Names become keys of an answer and words on a screen. */
const FIELD_NAME = /^[\w.\- ]{1,100}$/;

/** Reads the parameters of `elicitation/create`, which are hostile. */
export function parseQuestion(params: JsonObject, serverId: string): Parsed {
  const { message, mode = "form" } = params;
  if (typeof message !== "string") return refused("it has no message");
  const origin = { serverId, lines: toLines(message) };
  if (mode === "url") return parseUrl(params, origin);
  if (mode !== "form") return refused("it is neither a form nor a URL");
  const fields = parseFields(ownValue(params, "requestedSchema"));
  return typeof fields === "string" ? refused(fields) : { ok: true, question: { ...origin, mode, fields } };
}

function toLines(message: string): string[] {
  const lines = message
    .slice(0, MAX_LINES * MAX_LINE_LENGTH * 2)
    .split(/\r\n?|\n|\u2028|\u2029/)
    .map((line) => toShownText(line, MAX_LINE_LENGTH))
    .filter((line) => line !== "");
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES - 1), "…"];
}

/** Shown whole or not at all, in the form that browsers read it: without characters that look like others. */
function parseUrl({ url }: JsonObject, origin: Pick<ServerQuestion, "serverId" | "lines">): Parsed {
  if (typeof url !== "string" || url.length > MAX_URL_LENGTH || !URL.canParse(url)) return refused("its URL is none");
  const { protocol, username, password, host, href } = new URL(url);
  if (!isSecureUrl(new URL(url))) return refused(`its URL is no https: URL (${toShownText(protocol, 30)})`);
  if (username !== "" || password !== "") return refused("its URL holds a user name or a password");
  if (href.length > MAX_URL_LENGTH) return refused("its URL is too long");
  return { ok: true, question: { ...origin, mode: "url", url: href, host } };
}

function parseFields(schema: JsonValue | undefined): QuestionField[] | string {
  if (!isJsonObject(schema) || ownValue(schema, "type") !== "object") return "its schema is not one of an object";
  const properties = ownValue(schema, "properties");
  if (!isJsonObject(properties)) return "its schema has no properties";
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return `its form has ${entries.length} fields, the limit is ${MAX_FIELDS}`;
  const required = ownValue(schema, "required");
  const names = Array.isArray(required) ? required : [];
  const fields: QuestionField[] = [];
  for (const [name, property] of entries) {
    if (!FIELD_NAME.test(name) || name === "__proto__") return "a field of its form has a name that cannot be shown";
    const field = parseField(property);
    if (field === undefined) return `the field "${name}" of its form is no plain text, number, boolean or choice`;
    fields.push({ name, isRequired: names.includes(name), ...field });
  }
  return fields;
}

function refused(problem: string): Parsed {
  return { ok: false, problem };
}

const MAX_TITLE_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_CHOICES = 100;
const MAX_CHOICE_LENGTH = 200;
const FORMATS = ["email", "uri", "date", "date-time"] as const;

/** Reads one property of the flat schema that MCP allows in forms; undefined for any other. */
function parseField(property: JsonValue): (Pick<QuestionField, "title" | "description"> & FieldKind) | undefined {
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
