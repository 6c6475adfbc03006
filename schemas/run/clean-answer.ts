import { type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import type { QuestionField } from "./question.ts";

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
