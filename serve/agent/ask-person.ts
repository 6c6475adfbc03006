import {
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitRequestParams,
  type ElicitResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
  type ElicitRequestURLParams,
} from "@modelcontextprotocol/server";
import { type JsonObject, toJsonObject } from "../../schemas/json/json.ts";
import type { PersonsReply, ServerQuestion, QuestionField } from "../../schemas/run/question.ts";
import type { ApprovalVerdict } from "../../schemas/run/approval.ts";
import { askAgain, toVerdict } from "./approval-form.ts";
import { APPROVAL_SECONDS, type ApprovalState, type ApprovalStates } from "./approval-states.ts";
import { asSdk } from "./as-sdk.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { randomUUID } from "node:crypto";
import { describeQuestion, fieldTitle } from "../../schemas/run/describe-question.ts";

const QUESTION = "approval";
/** A server's, with a key of its own: no answer to it can pass for an approval. */
const SERVER_QUESTION = "question";

/** A person's answer, and what it is an answer to. */
export interface PersonsAnswer {
  digest: string;
  verdict: ApprovalVerdict;
  /** In a form of the client, or at a terminal. */
  by: "form" | "terminal";
}

/** Whether a client with these capabilities can show forms; before 2025-11-25 there was nothing else to show. */
export function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Whether a client with these capabilities can show such a question of a server. */
export function canShow({ mode }: ServerQuestion, capabilities: ClientCapabilities | undefined): boolean {
  return mode === "form" ? canShowForms(capabilities) : capabilities?.elicitation?.url !== undefined;
}

/** A client that ignores the schema sends a form without its choice each time. */
const MOST_FORMS = 3;

/** Asks over a request of our own, as clients before 2026-07-28 have it, and waits for the answer. */
export async function askNow(
  context: ServerContext,
  form: ElicitRequestFormParams,
  signal: AbortSignal,
): Promise<ApprovalVerdict> {
  let shown = form;
  for (let times = 1; times <= MOST_FORMS; times += 1) {
    const answer = await elicit(context, shown, signal);
    const verdict = answer === undefined ? "unavailable" : toVerdict(answer.action, answer.content);
    if (verdict !== "unanswered") return verdict;
    shown = askAgain(form);
  }
  return "closed";
}

/** As `askNow`, for a question of a server. */
export async function askQuestionNow(
  context: ServerContext,
  question: ServerQuestion,
  signal: AbortSignal,
): Promise<PersonsReply> {
  const answer = await elicit(context, toElicitation(question), signal);
  return answer === undefined ? { action: "unavailable" } : toPersonsReply(answer.action, answer.content);
}

/** Undefined where the client cannot ask after all, or took too long. */
async function elicit(
  { mcpReq }: ServerContext,
  params: ElicitRequestParams,
  signal: AbortSignal,
): Promise<ElicitResult | undefined> {
  const request = { method: "elicitation/create" as const, params: { ...params } };
  return mcpReq.send(request, { signal, timeout: APPROVAL_SECONDS * 1000 }).catch(() => undefined);
}

/** As `askByResult`, for a question of a server in a run, which waits meanwhile. */
export async function askQuestionByResult(
  context: ServerContext,
  question: ServerQuestion,
  codec: RequestStateCodec<ApprovalState>,
  state: ApprovalState,
): Promise<InputRequiredResult> {
  const params = toElicitation(question);
  const asked =
    params.mode === "url"
      ? inputRequired.elicitUrl({ message: params.message, url: params.url })
      : inputRequired.elicit(params);
  return inputRequired({
    inputRequests: { [SERVER_QUESTION]: asked },
    requestState: await codec.mint(state, context),
  });
}

/** The reply to a question of a run. */
export interface RunReply {
  runId: string;
  /** Of the question; undefined where this answer was used before. */
  number: number | undefined;
  reply: PersonsReply;
}

/** The reply that a request gives to a question of a run; undefined for every other request. */
export async function readReply(
  { mcpReq }: ServerContext,
  call: string,
  states: ApprovalStates,
): Promise<RunReply | undefined> {
  const state = mcpReq.requestState<ApprovalState>();
  if (state?.call !== call || state.runId === undefined) return undefined;
  const response = ownResponse(mcpReq, SERVER_QUESTION);
  const reply =
    response.kind === "elicit"
      ? toPersonsReply(response.action, response.content as JsonObject | undefined)
      : ({ action: "cancel" } as const);
  return { runId: state.runId, number: (await states.spend(state)) ? state.question : undefined, reply };
}

/** The SDK reads what is inherited too, and an answer under the key `__proto__` becomes a prototype on its way. */
function ownResponse({ inputResponses = {} }: ServerContext["mcpReq"], key: string) {
  return inputResponse(Object.hasOwn(inputResponses, key) ? inputResponses : undefined, key);
}

/** The result that makes a client ask, and send its request again with the answer. */
export async function askByResult(
  context: ServerContext,
  form: ElicitRequestFormParams,
  codec: RequestStateCodec<ApprovalState>,
  state: ApprovalState,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit(form) },
    requestState: await codec.mint(state, context),
  });
}

/** The answer that came with a request; undefined where there is none, or where it belongs to another request or was used before. */
export async function readAnswer(
  { mcpReq }: ServerContext,
  call: string,
  states: ApprovalStates,
): Promise<PersonsAnswer | undefined> {
  // Verified by the server before the request got here.
  const state = mcpReq.requestState<ApprovalState>();
  if (state?.call !== call || state.runId !== undefined) return undefined;
  const response = ownResponse(mcpReq, QUESTION);
  if (response.kind !== "elicit" || !(await states.spend(state))) return undefined;
  const verdict = toVerdict(response.action, response.content);
  const { digest, forms = 1 } = state;
  if (verdict !== "unanswered") return { digest, verdict, by: "form" };
  // Without a choice there is no answer, and the form comes again.
  return forms < MOST_FORMS ? undefined : { digest, verdict: "closed", by: "form" };
}

/** How many forms for this approval came before: the request brings the last one back, without its choice. */
export function countForms({ mcpReq }: ServerContext, digest: string, call: string): number {
  const state = mcpReq.requestState<ApprovalState>();
  return state?.call === call && state.digest === digest ? (state.forms ?? 1) : 0;
}

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
function toPersonsReply(action: string, content: JsonObject | undefined): PersonsReply {
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
