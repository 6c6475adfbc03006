import { asSdk } from "./as-sdk.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { randomUUID } from "node:crypto";
import type { ElicitRequestFormParams, ElicitRequestURLParams } from "@modelcontextprotocol/server";
import { describeQuestion, fieldTitle } from "../../schemas/run/describe-question.ts";
import type { PersonsReply, QuestionField, ServerQuestion } from "../../schemas/run/question.ts";
import { type JsonObject, toJsonObject } from "../../schemas/json/json.ts";

/** A server's question as a client gets it: everything that it shows is marked as the server's. */
export function toElicitation(question: ServerQuestion): ElicitRequestFormParams | ElicitRequestURLParams {
  const message = describeQuestion(question);
  if (question.mode === "url") return { mode: "url", message, url: question.url, elicitationId: randomUUID() };
  const { fields } = question;
  const properties = toJsonObject(fields.map((field) => [field.name, toProperty(question, field)]));
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    message,
    requestedSchema: asSdk({
      type: "object",
      properties,
      ...withoutUndefined({ required: required.length === 0 ? undefined : required }),
    }),
  };
}

/** What a client answered; whether it fits the form is the host's to say. */
export function toPersonsReply(action: string, content: JsonObject | undefined): PersonsReply {
  if (action === "accept") return { action: "accept", ...withoutUndefined({ content }) };
  return { action: action === "decline" ? "decline" : "cancel" };
}

function toProperty(question: ServerQuestion, field: QuestionField): JsonObject {
  const { description } = field;
  return {
    title: fieldTitle(question, field),
    ...withoutUndefined({ description }),
    ...toKind(field),
    ...withoutUndefined({ default: field.preset === undefined ? undefined : (field.preset as string) }),
  };
}

function toKind(field: QuestionField): JsonObject {
  switch (field.kind) {
    case "text":
      return { type: "string", ...pick(field, ["minLength", "maxLength", "format"]) };
    case "number":
    case "integer":
      return { type: field.kind, ...pick(field, ["minimum", "maximum"]) };
    case "boolean":
      return { type: "boolean" };
    case "choice":
    case "choices": {
      const { choices } = field;
      const isTitled = choices.some(({ value, title }) => value !== title);
      const titled = choices.map(({ value, title }) => ({ const: value, title }));
      const values = choices.map(({ value }) => value);
      if (field.kind === "choice") return { type: "string", ...(isTitled ? { oneOf: titled } : { enum: values }) };
      const items: JsonObject = isTitled ? { anyOf: titled } : { type: "string", enum: values };
      return { type: "array", items, ...pick(field, ["minItems", "maxItems"]) };
    }
  }
}

function pick<Value extends object>(value: Value, keys: readonly (keyof Value)[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key] as string]])));
}
