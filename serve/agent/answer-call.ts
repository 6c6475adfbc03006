import { asSdk } from "./as-sdk.ts";
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Emit, RequestEvent } from "../../schemas/run/events.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { ClientTraits } from "../client-traits.ts";
import { parseRunReference } from "../surfaces/parse-script-request.ts";
import type { AskingRun } from "../../engine/extras.ts";
import { makeRunId } from "../../engine/run-id.ts";
import type { RunInside, RunNews, WaitingRequest } from "../long-runs/runs.ts";
import { declaresTasks, toTaskResult } from "../long-runs/tasks.ts";
import { toCallResult } from "../long-runs/print-run-news.ts";
import type { Surface, SurfaceCall, ToolCallResult } from "../surface.ts";
import { fitResult } from "../surfaces/fit-to-client.ts";
import { toMalformedResult } from "../surfaces/run-tool.ts";
import { askByResult, askNow, canShow, readReturned, toElicitation, toPersonsReply } from "./ask-person.ts";
import { makeAskers } from "./ask-approval.ts";
import type { CallingClient } from "./caller.ts";
import { makeCallStream } from "./call-stream.ts";
import { requestDigest, readKey, readRunKey, workDigest } from "./request-key.ts";

/** Answers `tools/call`. A run that takes long is answered with an id, and goes on without the request. */
export async function answerCall(
  surface: Surface,
  { params }: CallToolRequest,
  context: ServerContext,
  caller: CallingClient,
): Promise<CallToolResult | InputRequiredResult> {
  const { runs, client, emitRequest } = caller;
  const session = context.sessionId ?? "";
  const stream = makeCallStream(context, caller);
  const kind = surface.runKind(params.name);
  const request: WaitingRequest = {
    ...{ session, signal: context.mcpReq.signal, emit: stream.emit, waitsForEnd: kind === undefined },
    asksByResult: caller.isModern,
    // Made where a person is asked, not for each call.
    digest: () => requestDigest([params.name, params.arguments ?? null]),
    ask(question, signal) {
      if (!canShow(question, caller.capabilities)) return Promise.resolve(UNAVAILABLE);
      if (caller.isModern) return "by-result";
      return askNow(context, toElicitation(question), signal).then((given) =>
        given ? toPersonsReply(given) : UNAVAILABLE,
      );
    },
  };
  const give = async (news: RunNews): Promise<CallToolResult | InputRequiredResult> => {
    if (news.kind === "asks") return askByResult(toElicitation(news.question), news.id);
    const tool = kind === "code" ? params.name : OTHER_NAME;
    const state = news.kind === "continues" && declaresTasks(context) ? await runs.look(news.id, session) : undefined;
    if (state !== undefined) return asSdk(toTaskResult(state));
    if (news.kind === "lost") emitRequest?.({ type: "request-failed", code: "RUN_LOST" });
    return asSdk(fitResult(toCallResult(news, tool), client.answer));
  };
  try {
    const returned = readReturned(context);
    const news = returned && (await runs.reply(returned.id, toPersonsReply(returned.given ?? CLOSED), request));
    // MCP: a state that was changed on its way MUST be refused with an error.
    if (news === "never-asked") throw new ProtocolError(ProtocolErrorCode.InvalidParams, NEVER_ASKED);
    if (news !== undefined) {
      emitRequest?.({ type: "request-named", toolName: params.name });
      return await give(news);
    }
    const reference = kind === "code" ? parseRunReference(params.arguments as JsonValue | undefined) : undefined;
    if (reference === undefined) {
      const run = (inside: RunInside) => answerRun(surface, params, context, caller, inside);
      const key = kind === undefined ? undefined : readKey(params, context);
      return await give(
        await runs.begin(run, {
          ...request,
          key: key === undefined ? undefined : { text: key, call: workDigest(params) },
        }),
      );
    }
    emitRequest?.({ type: "request-named", toolName: params.name });
    if ("problem" in reference) return asSdk(fitResult(toMalformedResult(reference), client.answer));
    return await give(await (reference.cancel ? runs.cancel : runs.wait)(reference.runId, request));
  } finally {
    stream.end();
  }
}

const UNAVAILABLE = { action: "unavailable" } as const;
const CLOSED = { action: "cancel" };
const NEVER_ASKED =
  "This requestState is not the one of a question: send the requestState of the answer that asked, as it came.";

/** For the tool that takes run ids, whose name depends on the surface. */
const OTHER_NAME = "the tool that runs code";

/** One call of a tool. What is no run cannot be answered before the approval comes: no one outside of the client is asked. */
async function answerRun(
  surface: Surface,
  params: CallToolRequest["params"],
  context: ServerContext,
  caller: CallingClient,
  run: RunInside,
): Promise<ToolCallResult> {
  const { client, trace, isDurable, capabilities } = caller;
  const { signal, emit } = run;
  const outside = surface.runKind(params.name) === undefined ? undefined : askingOf(caller, run);
  const asking = { isDurable, capabilities, run, outside };
  const call: SurfaceCall = {
    ...{ signal, emit, wantsProgress: true, client, trace, session: context.sessionId },
    ...makeAskers(asking),
    ...{ runId: run.id, entersLate: run.entersLate },
    emitRequest: whileAttached(caller.emitRequest, run),
    key: readRunKey(context),
  };
  try {
    const result = await surface.callTool(params.name, params.arguments as JsonValue | undefined, call);
    if (result === undefined) throw await unknownTool(surface, client, params.name);
    call.emitRequest?.({ type: "request-named", toolName: params.name });
    return result;
  } finally {
    await outside?.end();
  }
}

/** What a run asks with outside of its client, opened when it asks. */
function askingOf({ asking, clientName, isDurable }: CallingClient, { id }: RunInside): AskingRun | undefined {
  if (asking === undefined) return undefined;
  let opened: AskingRun | undefined;
  const open = async (): Promise<AskingRun | undefined> => {
    const runs = await asking();
    // The log of a durable run has questions of its own, with numbers of its own.
    const own = isDurable ? makeRunId() : id();
    return (opened ??= runs?.add({ id: own, client: clientName === "" ? undefined : clientName }));
  };
  return {
    ask: async (...asked) => (await open())?.ask(...asked),
    askForServer: async (...asked) => (await open())?.askForServer(...asked),
    end: async () => opened?.end(),
  };
}

/** What happens after a request was answered is no part of it. */
function whileAttached(
  emit: Emit<RequestEvent> | undefined,
  { isDetached }: RunInside,
): Emit<RequestEvent> | undefined {
  return emit && ((event) => (isDetached() ? undefined : emit(event)));
}

const MAX_NAMES = 20;

async function unknownTool(surface: Surface, client: ClientTraits | undefined, name: string): Promise<ProtocolError> {
  const names = (await surface.listTools(client)).map((tool) => String(tool["name"]));
  const listed = names.slice(0, MAX_NAMES).join(", ");
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const message = `Unknown tool: ${name.slice(0, 200)}. The tools are: ${listed}${more}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
