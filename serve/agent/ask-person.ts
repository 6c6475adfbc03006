import {
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
  type ElicitRequestURLParams,
} from "@modelcontextprotocol/server";
import { type JsonObject, toJsonObject } from "../../schemas/json/json.ts";
import {
  type PersonsReply,
  type ServerQuestion,
  type QuestionField,
  describeQuestion,
  fieldTitle,
} from "../../schemas/run/question.ts";
import { asSdk } from "./as-sdk.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { randomUUID } from "node:crypto";

/** Whether a client with these capabilities can show forms; before 2025-11-25 there was nothing else to show. */
export function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Whether a client with these capabilities can show such a question of a server. */
export function canShow({ mode }: ServerQuestion, capabilities: ClientCapabilities | undefined): boolean {
  return mode === "form" ? canShowForms(capabilities) : capabilities?.elicitation?.url !== undefined;
}

/** How long a person may take. */
export const APPROVAL_SECONDS = 600;

/** What a client shows to its person. */
export type Elicitation = ElicitRequestFormParams | ElicitRequestURLParams;

/**
 * Asks over a request of our own, as clients before 2026-07-28 have it, and waits for the answer. Undefined where the client cannot ask after all, or took
 * too long.
 */
export async function askNow(
  { mcpReq }: ServerContext,
  params: Elicitation,
  signal: AbortSignal,
): Promise<ElicitResult | undefined> {
  const request = { method: "elicitation/create" as const, params: { ...params } };
  return mcpReq.send(request, { signal, timeout: APPROVAL_SECONDS * 1000 }).catch(() => undefined);
}

/**
 * The result that makes a client ask, and send its request again with the answer.
 * @param id of the question: 128 random bits of its run are in it, and it counts for the runs of one client alone
 */
export function askByResult(params: Elicitation, id: string): InputRequiredResult {
  const asked =
    params.mode === "url"
      ? inputRequired.elicitUrl({ message: params.message, url: params.url })
      : inputRequired.elicit(params);
  return inputRequired({ inputRequests: { [ANSWER]: asked }, requestState: id });
}

/** The key of an answer. */
const ANSWER = "answer";

/** What a request brings back of a question that was the result of the one before. */
export interface Returned {
  /** Of the question. */
  id: string;
  /** As the client sends it; absent where the question came back without an answer. */
  given: { action: string; content?: { [field: string]: unknown } | undefined } | undefined;
}

/** Undefined where a request brings nothing back. */
export function readReturned({ mcpReq }: ServerContext): Returned | undefined {
  const id: unknown = mcpReq.requestState();
  if (typeof id !== "string") return undefined;
  const { inputResponses = {} } = mcpReq;
  // The SDK reads what is inherited too, and an answer under the key `__proto__` becomes a prototype on its way.
  const response = inputResponse(Object.hasOwn(inputResponses, ANSWER) ? inputResponses : undefined, ANSWER);
  return { id, given: response.kind === "elicit" ? response : undefined };
}

/** A server's question as a client gets it: everything that it shows is marked as the server's. */
export function toElicitation(question: ServerQuestion): Elicitation {
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
export function toPersonsReply({ action, content }: NonNullable<Returned["given"]>): PersonsReply {
  if (action === "accept") return { action, ...withoutUndefined({ content: content as JsonObject | undefined }) };
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
