import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { readAnswer, toFailedAnswer } from "./answer/read-answer.ts";
import type { ApiDocument } from "./document/parse-document.ts";
import { defined, type JsonObject } from "./json.ts";
import { mockAnswer } from "./mock/mock-answer.ts";
import { OpenApiError } from "./openapi-error.ts";
import type { Operation } from "./operations.ts";
import type { ApiServer, TrustedOrigins } from "./request/api-server.ts";
import { buildRequest, type Sender } from "./request/build-request.ts";
import { writeCallKey } from "./request/call-key.ts";
import { type ApiAccount, type Credentials, selectLogin } from "./request/credentials.ts";
import type { HttpReply } from "./request/exchange.ts";
import { followElsewhere, followRedirects } from "./request/follow-redirects.ts";
import type { ApiTool } from "./tools/make-tools.ts";

/** An API whose operations are called. */
export interface CalledApi {
  document: ApiDocument;
  credentials: Credentials;
  locate: (operation: Operation) => ApiServer;
  /** Absent where nothing is sent. */
  trust: TrustedOrigins | undefined;
  /** Answers from the examples and schemas of the document. */
  isMock: boolean;
  /** Whether a GET is read from another public host where the API redirects to one. */
  followsRedirects: boolean;
  /** For one call, and for its answer. */
  limits: { timeoutMs: number; maxBytes: number };
}

const NO_LOGIN: ApiAccount = { credentials: [] };
const NO_SENDER: Sender = { credentials: [], fixed: new Map() };

/** What only reads is followed to another host where the document says that it leads to one, or a person. */
function mayFollow({ method, responses }: Operation, { status }: HttpReply, isAsked: boolean): boolean {
  if (method !== "GET" || status < 300 || status >= 400) return false;
  return isAsked || responses.some((one) => one.status === String(status) || one.status === "3XX");
}

/** Calls an operation; what fails is a result that says so, for the caller to read. */
export async function callOperation(
  api: CalledApi,
  tool: ApiTool,
  input: JsonObject,
  context: ServerContext,
): Promise<CallToolResult> {
  const { credentials, document } = api;
  const { operation, keyHeader } = tool;
  const { mask, maskAnswer } = credentials;
  const { signal } = context.mcpReq;
  try {
    const server = api.locate(operation);
    const limits = { ...api.limits, signal, onProgress: makeProgress(context) };
    const answer = { mask, maskAnswer, variables: variablesOf(operation, credentials) };
    if (api.isMock) return mockAnswer(tool, document.root, buildRequest(tool, input, server, NO_SENDER).url, answer);
    const callKey = keyHeader && writeCallKey(keyHeader, context.mcpReq._meta);
    const { fixed } = credentials;
    const send = async ({ credentials: login }: ApiAccount): Promise<HttpReply> => {
      const request = buildRequest(tool, input, server, { credentials: login, fixed, callKey });
      const reply = await followRedirects(request, limits, server.guard);
      return mayFollow(operation, reply, api.followsRedirects) && api.trust !== undefined
        ? followElsewhere(reply, limits, api.trust.guardOf)
        : reply;
    };
    const login = server.isTrusted ? await selectLogin(credentials, operation.security, limits) : NO_LOGIN;
    const reply = await send(login);
    if (reply.status !== 401 || login.discard === undefined) return readAnswer(tool, reply, answer);
    // The token may have ended early: one more, and what the API says then counts.
    login.discard();
    return readAnswer(tool, await send(await selectLogin(credentials, operation.security, limits)), answer);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof OpenApiError) return toFailedAnswer(mask(error.message), mask(error.hint));
    // The details can have values in them that are not for a model.
    return toFailedAnswer(
      `${operation.method} ${operation.path} failed in this server`,
      "Report it with the document.",
    );
  }
}

/** A large answer is no silence; more than one message a second says nothing. */
const PROGRESS_EVERY_MS = 1_000;

function makeProgress({ mcpReq }: ServerContext): ((received: number, total: number | undefined) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = performance.now();
  return (progress, total) => {
    if (performance.now() - last < PROGRESS_EVERY_MS) return;
    last = performance.now();
    const params = defined({ progressToken, progress, total });
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

function variablesOf({ security }: Operation, { variables }: Credentials): string[] {
  return [...new Set(security.flat().flatMap((name) => variables.get(name) ?? []))];
}
