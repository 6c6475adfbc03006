import { asSdk } from "./as-sdk.ts";
import { createHash } from "node:crypto";
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isRunKey, RUN_KEY_META } from "../../schemas/run/run-key.ts";
import type { RequestObservation } from "../../schemas/run/observer.ts";
import { canonicalJson } from "../../schemas/json/canonical-json.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { ClientTraits } from "../client-traits.ts";
import { parseRunReference } from "../surfaces/parse-script-request.ts";
import type { RunInside, RunNews, WaitingRequest } from "../long-runs/runs.ts";
import { declaresTasks, toTaskResult } from "../long-runs/tasks.ts";
import { describeLateReply, toCallResult } from "../long-runs/print-run-news.ts";
import type { Surface, SurfaceCall, ToolCallResult } from "../surface.ts";
import { fitResult } from "../surfaces/fit-to-client.ts";
import { toMalformedResult } from "../surfaces/run-tool.ts";
import { askByResult, askNow, canShow, readReturned, toElicitation, toPersonsReply, wayToAsk } from "./ask-person.ts";
import { makeApproveInRun } from "./approve-in-run.ts";
import type { Caller } from "./caller.ts";
import { makeCallStream } from "./call-stream.ts";
import {
  answerTo,
  type AskingCall,
  type OpenApproval,
  type PersonsAnswer,
  readApproval,
  requestApproval,
  wayOfApproval,
} from "./request-approval.ts";

/** A server that changes while a person decides invalidates the question; the number of questions is limited. */
const MAX_QUESTIONS = 3;

/** Answers `tools/call`. A run that takes long is answered with an id, and goes on without the request. */
export async function answerCall(
  surface: Surface,
  { params }: CallToolRequest,
  context: ServerContext,
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const { runs, client, observation, approvals } = caller;
  const session = context.sessionId ?? "";
  const stream = makeCallStream(context, caller);
  const kind = surface.runKind(params.name);
  /** Asked for where a person is, not for each call. */
  const callDigest = (): string => digestOf([params.name, params.arguments ?? null]);
  const request: WaitingRequest = {
    ...{ session, signal: context.mcpReq.signal, stream, waitsForEnd: kind === undefined },
    ask(question, signal) {
      const way = wayToAsk({ canShow: canShow(question, caller.capabilities), isModern: caller.isModern });
      if (way === "by-result") return way;
      if (way !== "by-request") return Promise.resolve(UNAVAILABLE);
      return askNow(context, toElicitation(question), signal).then((given) =>
        given ? toPersonsReply(given) : UNAVAILABLE,
      );
    },
  };
  const give = async (news: RunNews): Promise<CallToolResult | InputRequiredResult> => {
    if (news.kind === "asks") {
      const state = await approvals.make("", callDigest(), { runId: news.id, question: news.number });
      return askByResult(context, toElicitation(news.question), caller.codec, state);
    }
    const tool = kind === "code" ? params.name : OTHER_NAME;
    // As the state of a question is refused that has expired.
    if (news.kind === "late")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeLateReply(news.id, tool));
    const state = news.kind === "continues" && declaresTasks(context) ? await runs.look(news.id, session) : undefined;
    if (state !== undefined) return asSdk(toTaskResult(state));
    if (news.kind === "lost") observation?.failed?.("RUN_LOST");
    return asSdk(fitResult(toCallResult(news, tool), client.answer));
  };
  try {
    const returned = readReturned(context, callDigest);
    const { runId, question = 0 } = returned?.state ?? {};
    if (returned !== undefined && runId !== undefined) {
      observation?.named?.(params.name);
      const { state, given = { action: "cancel" } } = returned;
      return await give(
        (await approvals.spend(state))
          ? await runs.reply(runId, question, toPersonsReply(given), request)
          : { kind: "late", id: runId },
      );
    }
    const reference = kind === "code" ? parseRunReference(params.arguments as JsonValue | undefined) : undefined;
    if (reference === undefined) {
      // What is no run cannot be answered before the approval comes.
      const asking = {
        context,
        callDigest,
        returned,
        caller: kind === undefined ? { ...caller, approvalQueue: undefined } : caller,
      };
      const run = (inside: RunInside) => answerWithApproval(surface, params, asking, inside);
      const key = kind === undefined ? undefined : readKey(params, context);
      return await give(
        await runs.begin(run, {
          ...request,
          key: key === undefined ? undefined : { text: key, call: workDigest(params) },
        }),
      );
    }
    observation?.named?.(params.name);
    if ("problem" in reference) return asSdk(fitResult(toMalformedResult(reference), client.answer));
    return await give(await (reference.cancel ? runs.cancel : runs.wait)(reference.runId, request));
  } finally {
    stream.end();
  }
}

const UNAVAILABLE = { action: "unavailable" } as const;

/** For the tool that takes run ids, whose name depends on the surface. */
const OTHER_NAME = "the tool that runs code";

/**
 * A script that needs a person's approval is bundled, put down, and bundled again with the answer: nothing is held while a person thinks. Where the
 * question is no result of the request, the one of a durable run waits in its log.
 */
async function answerWithApproval(
  surface: Surface,
  params: CallToolRequest["params"],
  asked: Omit<AskingCall, "run">,
  run: RunInside,
): Promise<ToolCallResult> {
  const { context, caller } = asked;
  const { client, trace } = caller;
  const { signal, stream, ask } = run;
  const call = {
    ...{ signal, stream, ask, client, trace, session: context.sessionId },
    ...makeApproveInRun(caller, run),
    ...{ runId: run.id, entersLate: run.entersLate },
    observation: whileAttached(caller.observation, run),
    key: readRunKey(context),
  };
  let answer = await readApproval(asked.returned, caller.approvals);
  for (let questions = 1; ; questions += 1) {
    const { result, open } = await callOnce(surface, params, call, { answer, caller, run });
    if (open === undefined || questions > MAX_QUESTIONS || signal.aborted) return result;
    const sought = await requestApproval(open, { ...asked, run });
    if (sought === undefined) return result;
    if ("resultType" in sought) return asSdk(sought);
    answer = sought;
  }
}

/** What is no key is left alone, as `_meta` is: the answer holds the key of the run. */
function readRunKey({ mcpReq }: ServerContext): string | undefined {
  const key = mcpReq._meta?.[RUN_KEY_META];
  return typeof key === "string" && isRunKey(key) ? key : undefined;
}

/** What happens after a request was answered is no part of it. */
function whileAttached(
  observation: RequestObservation | undefined,
  { isDetached }: RunInside,
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
  { answer, ...asking }: Pick<AskingCall, "caller" | "run"> & { answer: PersonsAnswer | undefined },
): Promise<{ result: ToolCallResult; open: OpenApproval | undefined }> {
  let open: OpenApproval | undefined;
  const leaveOpen = <Verdict>(asked: OpenApproval, verdict: Verdict): Verdict | "waiting" => {
    if (wayOfApproval(asked, asking) === "in-log") return "waiting";
    open = asked;
    return verdict;
  };
  const running = surface.callTool(params.name, params.arguments as JsonValue | undefined, {
    ...call,
    isResumed: answer !== undefined,
    approve: async (request) => {
      const verdict = answerTo(answer, request);
      if (verdict !== undefined) return verdict;
      // A durable run begins when the request comes again.
      return leaveOpen({ request, isReserved: false }, asking.caller.isDurable ? "closed" : "unavailable");
    },
    // What came through the client is no answer here.
    askOperator: async (request) => {
      const verdict = answer?.isForm === false ? answerTo(answer, request) : undefined;
      if (verdict !== undefined) return verdict;
      return leaveOpen({ request, isReserved: true }, "reserved");
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

/** The key of the arguments, or else of `_meta`; what is wrong with it is said by the surface. */
function readKey({ arguments: input }: CallToolRequest["params"], context: ServerContext): string | undefined {
  const key = input?.["key"];
  return typeof key === "string" && isRunKey(key) ? key : readRunKey(context);
}

/** Of what a run is to do: another key does not change it. */
function workDigest({ name, arguments: { key: _, ...input } = {} }: CallToolRequest["params"]): string {
  return digestOf([name, canonicalJson(input as JsonValue)]);
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
