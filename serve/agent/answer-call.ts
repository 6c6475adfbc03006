import { createHash } from "node:crypto";
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ApprovalRequest } from "../../schemas/run/approval.ts";
import type { RequestObservation, TraceContext } from "../../schemas/run/observer.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { ClientTraits } from "../client-traits.ts";
import type { Surface, SurfaceCall, ToolCallResult } from "../surface.ts";
import { makeApprovalForm } from "./approval-form.ts";
import type { ApprovalState, ApprovalStates } from "./approval-states.ts";
import { askByResult, askNow, canShowForms, type PersonsAnswer, readAnswer } from "./ask-person.ts";
import { makeCallStream } from "./call-stream.ts";

/** Whom a call is answered for. */
export interface Caller {
  approvals: ApprovalStates;
  codec: RequestStateCodec<ApprovalState>;
  /** The revision 2026-07-28: a question is the result of a call, which is then sent again. */
  isModern: boolean;
  capabilities: ClientCapabilities | undefined;
  client: ClientTraits;
  logLevel: LoggingLevel | undefined;
  heartbeatMs: number;
  /** Aborted when the client gives up or the process goes down. */
  signal: AbortSignal;
  /** The trace that the request is part of. */
  trace: TraceContext | undefined;
  observation: RequestObservation | undefined;
}

/** A server that changes while a person decides invalidates the question; the number of questions is limited. */
const MAX_QUESTIONS = 3;

/**
 * Answers `tools/call`. A script that needs a person's consent is bundled, put down, and bundled again with the answer: nothing is held while a
 * person thinks.
 */
export async function answerCall(
  surface: Surface,
  { params }: CallToolRequest,
  context: ServerContext,
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal, client, trace, observation } = caller;
  const call = { signal, client, trace, observation, session: context.sessionId };
  const callDigest = digestOf([params.name, params.arguments ?? null]);
  const stream = makeCallStream(context, caller);
  let answer = readAnswer(context, callDigest, caller.approvals);
  try {
    for (let questions = 1; ; questions += 1) {
      const { result, open } = await callOnce(surface, params, { ...stream, ...call }, answer);
      const form = open === undefined ? undefined : makeApprovalForm(open);
      const isFinal = questions > MAX_QUESTIONS || signal.aborted || !canShowForms(caller.capabilities);
      if (open === undefined || form === undefined || isFinal) return result as CallToolResult;
      if (caller.isModern) {
        const state = caller.approvals.make(open.digest, callDigest);
        return await askByResult(context, form, caller.codec, state);
      }
      answer = { digest: open.digest, verdict: await askNow(context, form, signal) };
    }
  } finally {
    stream.end();
  }
}

/** One pass, and the question that it left open. */
async function callOnce(
  surface: Surface,
  params: CallToolRequest["params"],
  call: Omit<SurfaceCall, "approve" | "isResumed">,
  answer: PersonsAnswer | undefined,
): Promise<{ result: ToolCallResult; open: ApprovalRequest | undefined }> {
  let open: ApprovalRequest | undefined;
  const running = surface.callTool(params.name, params.arguments as JsonValue | undefined, {
    ...call,
    isResumed: answer !== undefined,
    approve: async (request) => {
      if (answer?.digest === request.digest) return answer.verdict;
      open = request;
      return "unavailable";
    },
  });
  const result = await running;
  if (result === undefined) throw await unknownTool(surface, call.client, params.name);
  call.observation?.named?.(params.name);
  return { result, open };
}

const MAX_NAMES = 20;

async function unknownTool(surface: Surface, client: ClientTraits | undefined, name: string): Promise<ProtocolError> {
  const names = (await surface.listTools(client)).map((tool) => String(tool["name"]));
  const listed = names.slice(0, MAX_NAMES).join(", ");
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const message = `Unknown tool: ${name.slice(0, 200)}. The tools are: ${listed}${more}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
