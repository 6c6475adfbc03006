import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { QuestionField, ServerQuestion } from "../../../schemas/run/question.ts";
import { isSecureUrl } from "../../mcp/oauth/is-secure-url.ts";
import { parseField } from "./parse-field.ts";
import { toShownText } from "./shown-text.ts";

/** A question that can be put to a person, or what is wrong with it, in our own words. */
export type ParsedQuestion = { ok: true; question: ServerQuestion } | { ok: false; problem: string };

const MAX_FIELDS = 30;
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 300;
const MAX_URL_LENGTH = 2_000;
/** Names become keys of an answer and words on a screen. */
const FIELD_NAME = /^[\w.\- ]{1,100}$/;

/** Reads the parameters of `elicitation/create`, which are hostile. */
export function parseQuestion(params: JsonObject, serverId: string): ParsedQuestion {
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
function parseUrl({ url }: JsonObject, origin: Pick<ServerQuestion, "serverId" | "lines">): ParsedQuestion {
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

function refused(problem: string): ParsedQuestion {
  return { ok: false, problem };
}
