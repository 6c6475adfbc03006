import { type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";

/**
 * What a person is asked in the middle of a call. All texts are the server's, cleaned: they hold no invisible character, no control
 * character and no line break.
 */
export type ServerQuestion = {
  serverId: string;
  /** The server's text, line by line. */
  lines: readonly string[];
  /** Set where codemode asks, about the server: the lines are its own, and quote what is the server's. */
  isOwn?: true;
} & (
  | { mode: "form"; fields: readonly QuestionField[] }
  /** To be opened by the person, and by nothing else. */
  | { mode: "url"; url: string; host: string }
);

/** One value that the server wants. */
export type QuestionField = {
  /** The key of the answer, as the server wrote it: letters, digits and plain signs. */
  name: string;
  title?: string;
  description?: string;
  isRequired: boolean;
} & FieldKind;

export type FieldKind =
  | {
      kind: "text";
      minLength?: number;
      maxLength?: number;
      format?: "email" | "uri" | "date" | "date-time";
      preset?: string;
    }
  | { kind: "number" | "integer"; minimum?: number; maximum?: number; preset?: number }
  | { kind: "boolean"; preset?: boolean }
  | { kind: "choice"; choices: readonly Choice[]; preset?: string }
  | { kind: "choices"; choices: readonly Choice[]; minItems?: number; maxItems?: number; preset?: readonly string[] };

export interface Choice {
  value: string;
  title: string;
}

/** What a person says to a question; `unavailable` where there is none to ask, or nothing to ask with. */
export type PersonsReply =
  | { action: "accept"; content?: JsonObject }
  | { action: "decline" }
  | { action: "cancel" }
  | { action: "unavailable" };

/**
 * How a question ended. `declined` and `closed` by the person; all others by codemode, which declines them: `unavailable` there was none to ask,
 * `reserved` the caller's client may not answer (`mayApprove` of an `Access`), `limit` the run has asked too often, `late` the call has ended
 * meanwhile, `malformed` it is none that MCP allows, `unfit` the answer does not fit it.
 */
export type QuestionOutcome =
  | "accepted"
  | "declined"
  | "closed"
  | "unavailable"
  | "reserved"
  | "limit"
  | "late"
  | "malformed"
  | "unfit";

/** The question in words. Each line of the server's own is quoted, so that none can pass for one of codemode's. */
export function describeQuestion(question: ServerQuestion): string {
  const { serverId, lines } = question;
  if (question.isOwn) return lines.join("\n");
  const quoted = lines.map((line) => `> ${line}`);
  const head = `The server "${serverId}" asks this in the middle of a call. These are its words, and not codemode's:`;
  if (question.mode === "form") return [head, ...quoted].join("\n");
  const { host, url } = question;
  return [head, ...quoted, `It wants you to open this page of ${host} yourself:`, url].join("\n");
}

/** The same with what each value has to be, for places that show no form. */
export function describeWithFields(question: ServerQuestion): string[] {
  const lines = describeQuestion(question).split("\n");
  if (question.mode === "url") return lines;
  return [...lines, "It wants these values:", ...question.fields.map(describeField)];
}

function describeField(field: QuestionField): string {
  const { name, title = name, isRequired, kind } = field;
  const choices = "choices" in field ? `: ${field.choices.map(({ value }) => JSON.stringify(value)).join(", ")}` : "";
  const preset = field.preset === undefined ? "" : `, ${JSON.stringify(field.preset)} unless given`;
  return `  ${JSON.stringify(name)} (${JSON.stringify(title)}): ${kind}${choices}${isRequired ? ", required" : ""}${preset}`;
}

/** How a field is shown: with the server in front, because a form shows titles apart from its message. */
export function fieldTitle(
  { serverId, isOwn }: Pick<ServerQuestion, "serverId" | "isOwn">,
  field: { name: string; title?: string },
): string {
  if (isOwn) return field.title ?? field.name;
  return `${serverId}: ${field.title ?? field.name}`;
}

/** What a person filled in, held against the form: what was not asked is left out, what was left out has its preset. Undefined where it does not fit. */
export function cleanAnswer(content: JsonObject, fields: readonly QuestionField[]): JsonObject | undefined {
  const entries: [string, JsonValue][] = [];
  for (const field of fields) {
    const given = ownValue(content, field.name) ?? presetOf(field);
    const isAbsent = given === undefined || (given === "" && !field.isRequired);
    if (isAbsent && field.isRequired) return undefined;
    if (isAbsent) continue;
    if (!fits(given, field)) return undefined;
    entries.push([field.name, given]);
  }
  return toJsonObject(entries);
}

function presetOf({ preset }: QuestionField): JsonValue | undefined {
  return typeof preset === "object" ? [...preset] : preset;
}

/** Whether a value is one that the field takes. */
export function fits(value: JsonValue, field: QuestionField): boolean {
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean";
    case "number":
    case "integer": {
      const { kind, minimum = -Infinity, maximum = Infinity } = field;
      if (typeof value !== "number" || (kind === "integer" && !Number.isInteger(value))) return false;
      return value >= minimum && value <= maximum;
    }
    case "text": {
      const { minLength = 0, maxLength = MAX_TEXT_LENGTH, format } = field;
      if (typeof value !== "string" || value.length < minLength || value.length > maxLength) return false;
      return format === undefined || FORMATS[format](value);
    }
    case "choice":
      return field.choices.some((choice) => choice.value === value);
    case "choices": {
      const { minItems = 0, maxItems = Infinity, choices } = field;
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
      return new Set(value).size === value.length && value.every((item) => choices.some((one) => one.value === item));
    }
  }
}

/** Of one text, where its form says nothing. */
const MAX_TEXT_LENGTH = 100_000;

const FORMATS: Record<NonNullable<(QuestionField & { kind: "text" })["format"]>, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) => /^\d{4}-\d\d-\d\d[Tt ]/.test(text) && !Number.isNaN(Date.parse(text)),
};
