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
import { parseRunReference } from "../long-runs/run-reference.ts";
import type { LongRuns, RunInside, RunNews } from "../long-runs/long-runs.ts";
import { toCallResult } from "../long-runs/print-run-news.ts";
import type { Surface, SurfaceCall, ToolCallResult } from "../surface.ts";
import { fitResult } from "../surfaces/fit-to-client.ts";
import { toMalformedResult } from "../surfaces/run-tool.ts";
import { makeApprovalForm } from "./approval-form.ts";
import type { ApprovalState, ApprovalStates } from "./approval-states.ts";
import { askByResult, askNow, canShowForms, type PersonsAnswer, readAnswer } from "./ask-person.ts";
import { makeCallStream } from "./call-stream.ts";

/** Whom a call is answered for. */
export interface Caller {
  approvals: ApprovalStates;
  runs: LongRuns;
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

/** Answers `tools/call`. A run that takes long is answered with an id, and goes on without the request. */
export async function answerCall(
  surface: Surface,
  { params }: CallToolRequest,
  context: ServerContext,
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const { runs, client, observation } = caller;
  const stream = makeCallStream(context, caller);
  const kind = surface.runKind(params.name);
  const fit = (news: RunNews): CallToolResult =>
    fitResult(toCallResult(news, kind === "code" ? params.name : "the tool that runs code"), client.answer) as never;
  try {
    if (kind === undefined) {
      const inside = { ...stream, signal: caller.signal, isDetached: () => false };
      return (await answerWithConsent(surface, params, context, caller, inside)) as never;
    }
    const request = { session: context.sessionId ?? "", signal: context.mcpReq.signal, stream };
    const reference = kind === "code" ? parseRunReference(params.arguments as JsonValue | undefined) : undefined;
    if (reference === undefined) {
      const run = (inside: RunInside) => answerWithConsent(surface, params, context, caller, inside);
      return fit(await runs.begin(run, request));
    }
    observation?.named?.(params.name);
    if ("problem" in reference) return fitResult(toMalformedResult(reference), client.answer) as never;
    const news = await (reference.cancel ? runs.cancel : runs.wait)(reference.runId, request);
    if (news.kind === "lost") observation?.failed?.("RUN_LOST");
    return fit(news);
  } finally {
    stream.end();
  }
}

/**
 * A script that needs a person's consent is bundled, put down, and bundled again with the answer: nothing is held while a person thinks.
 */
async function answerWithConsent(
  surface: Surface,
  params: CallToolRequest["params"],
  context: ServerContext,
  caller: Caller,
  run: CallInside,
): Promise<ToolCallResult> {
  const { client, trace } = caller;
  const { signal, onLog, onToolCall } = run;
  const observation = whileAttached(caller.observation, run);
  const call = { signal, onLog, onToolCall, client, trace, observation, session: context.sessionId };
  const callDigest = digestOf([params.name, params.arguments ?? null]);
  let answer = readAnswer(context, callDigest, caller.approvals);
  for (let questions = 1; ; questions += 1) {
    const { result, open } = await callOnce(surface, params, call, answer);
    const form = open === undefined ? undefined : makeApprovalForm(open);
    const isFinal = questions > MAX_QUESTIONS || signal.aborted || !canShowForms(caller.capabilities);
    if (open === undefined || form === undefined || isFinal) return result;
    if (caller.isModern) {
      // Only the request that the question answers can come back with an answer.
      if (run.isDetached()) return result;
      const state = caller.approvals.make(open.digest, callDigest);
      return (await askByResult(context, form, caller.codec, state)) as never;
    }
    answer = { digest: open.digest, verdict: await askNow(context, form, signal) };
  }
}

/** What a call may be in the middle of when its request has been answered. */
type CallInside = Pick<RunInside, "signal" | "onLog" | "onToolCall" | "isDetached">;

/** What happens after a request was answered is no part of it. */
function whileAttached(
  observation: RequestObservation | undefined,
  { isDetached }: CallInside,
): RequestObservation | undefined {
  if (observation === undefined) return undefined;
  return {
    ...observation,
    admitted: () => isDetached() || observation.admitted?.(),
    failed: (code) => isDetached() || observation.failed?.(code),
    named: (toolName) => isDetached() || observation.named?.(toolName),
  };
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
