import { asSdk } from "./agent/as-sdk.ts";
import {
  type CacheHint,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Emit, HostEvents, RequestEvent, RequestFacts, SessionFacts } from "../schemas/run/events.ts";
import { readTraceContext, type TraceContext } from "../schemas/run/trace-context.ts";
import { VERSION } from "../schemas/version.ts";
import { answerCall } from "./agent/answer-call.ts";
import { type CallingClient, readEnvelope } from "./agent/caller.ts";
import type { CallsInFlight } from "./agent/calls-in-flight.ts";
import { watchToolList } from "./agent/tool-list-watch.ts";
import { type ClientTraits, traitsOf } from "./client-traits.ts";
import { serveTasks, TASKS_EXTENSION } from "./long-runs/tasks.ts";
import type { LongRuns } from "./long-runs/runs.ts";
import type { Presentation } from "./present.ts";
import { serveSkills, SKILLS_EXTENSION } from "./skill.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";

/** What one client's MCP server is made from. */
export interface AgentServerOptions {
  /** Known before anything else is: the handshake does not wait for the presentation. */
  instructions: string;
  /** Made with the view of this client, see `admitView`. */
  presentation: Presentation | Promise<Presentation>;
  /** Shared by all servers of the process. */
  calls: CallsInFlight;
  /** Shared by all servers of one client. */
  runs: LongRuns;
  /** See `Caller`. Shared by all servers of the process. */
  asking?: CallingClient["asking"] | undefined;
  /** See `Caller`. */
  isDurable?: boolean | undefined;
  /** Who it is; the same name for all its requests. */
  clientName?: string | undefined;
  heartbeatMs?: number | undefined;
  events?: HostEvents | undefined;
  /** Receives the details of failures, which the client does not get. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/** A client that waits 5 s for progress outlasts any run, and notices a replica that is gone. */
const HEARTBEAT_MS = 2000;
/** Lists follow the lockfile, whose changes are announced; each client has its own. */
const CACHE_HINT: CacheHint = { ttlMs: 60_000, cacheScope: "private" };

/** Makes the MCP server of one client, for one connection: both protocol eras, any transport. */
export function makeAgentServer(options: AgentServerOptions): Server {
  const {
    calls,
    asking,
    runs,
    isDurable = false,
    clientName = "",
    heartbeatMs = HEARTBEAT_MS,
    onFailure = () => {},
  } = options;
  const { events } = options;
  const presentation = Promise.resolve(options.presentation);
  // Every request says itself that there is none.
  presentation.catch(() => undefined);
  const server = openSdkServer(options.instructions);
  const answer: AnswerPresented = (make) => hideInternals(async () => make(await presentation), onFailure);

  const surface = presentation.then((presented) => presented.surface);
  surface.catch(() => undefined);
  const watch = watchToolList(surface, calls, () => server.sendToolListChanged());
  let endSession: (() => void) | undefined;
  server.oninitialized = () => (endSession ??= events && reportSession(events, readSessionFacts(server)));
  server.onclose = () => {
    watch.end();
    endSession?.();
  };

  let logLevel: LoggingLevel | undefined;
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    logLevel = params.level;
    return {};
  });
  const clientOf = (context: ServerContext): ClientTraits => {
    const envelope = readEnvelope(context);
    return traitsOf((envelope === undefined ? server.getClientVersion() : envelope.clientInfo)?.name);
  };
  /** Log messages are for clients that asked for them, in either way. */
  const callerOf = (
    context: ServerContext,
    trace: RequestFacts["trace"],
    emitRequest: Emit<RequestEvent> | undefined,
  ): CallingClient => {
    const envelope = readEnvelope(context);
    const said = envelope ?? { capabilities: server.getClientCapabilities(), logLevel };
    return {
      ...{ asking, runs, isDurable, clientName, heartbeatMs, emitRequest, trace },
      isModern: envelope !== undefined,
      capabilities: said.capabilities,
      client: clientOf(context),
      logLevel: said.logLevel,
    };
  };

  server.setRequestHandler("tools/list", ({ params }, context) =>
    answer(async (presented) => {
      assertFirstPage(params);
      const client = clientOf(context);
      const tools = await presented.surface.listTools(client);
      watch.saw(tools, client);
      return { tools: asSdk(tools) };
    }),
  );
  server.setRequestHandler("tools/call", (request, context) =>
    calls.track(() => {
      const facts = readRequestFacts(context, clientName, server.getNegotiatedProtocolVersion());
      return reportRequest(events, facts, (trace, emit) => {
        const caller = callerOf(context, trace, emit);
        return answer((presented) => answerCall(presented.surface, request, context, caller));
      });
    }),
  );
  serveLists(server, answer);
  serveTasks(server, runs);
  serveSkills(server, (make) => answer((presented) => make(presented.lockfile())));
  return server;
}

function openSdkServer(instructions: string): Server {
  return new Server(
    { name: "codemode", version: VERSION },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: {},
        prompts: {},
        logging: {},
        extensions: { ...SKILLS_EXTENSION, ...TASKS_EXTENSION },
      },
      instructions,
      cacheHints: {
        "server/discover": CACHE_HINT,
        "tools/list": CACHE_HINT,
        "prompts/list": CACHE_HINT,
        "resources/list": CACHE_HINT,
        "resources/templates/list": CACHE_HINT,
        "resources/read": CACHE_HINT,
      },
    },
  );
}

type AnswerPresented = <Answer>(make: (presented: Presentation) => Promise<Answer>) => Promise<Answer>;

/** Resources and prompts. */
function serveLists(server: Server, answer: AnswerPresented): void {
  const list = <Page>(params: PageParams, print: (presented: Presentation) => Page): Promise<Page> =>
    answer(async (presented) => {
      assertFirstPage(params);
      return print(presented);
    });
  server.setRequestHandler("resources/list", ({ params }) =>
    list(params, (presented) => ({ resources: asSdk(presented.listResources()) })),
  );
  server.setRequestHandler("resources/templates/list", ({ params }) =>
    list(params, (presented) => ({ resourceTemplates: asSdk(presented.listResourceTemplates()) })),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    answer(async (presented) => {
      const contents = await presented.readResource(uri);
      if (contents === undefined) throw new ResourceNotFoundError(uri);
      return { contents: asSdk<ReadResourceResult["contents"]>(contents) };
    }),
  );
  server.setRequestHandler("prompts/list", ({ params }) =>
    list(params, (presented) => ({ prompts: asSdk(presented.listPrompts()) })),
  );
  server.setRequestHandler("prompts/get", ({ params }) =>
    answer(async (presented) => {
      const prompt = await presented.getPrompt(params.name, params.arguments ?? {});
      if (prompt !== undefined) return asSdk(prompt);
      const names = presented.listPrompts().map(({ name }) => String(name));
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown prompt: ${params.name.slice(0, 200)}. The prompts are: ${names.join(", ")}.`,
      );
    }),
  );
}

type PageParams = { cursor?: string | undefined } | undefined;

/** Every list is one page, so no cursor is ours. */
function assertFirstPage(params: PageParams): void {
  if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such page.");
}

/** Does the work of a request. Messages of unexpected errors may name paths of this machine, so the client learns only that it failed. */
async function hideInternals<Answer>(
  work: () => Promise<Answer>,
  onFailure: (error: unknown) => void,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    onFailure(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeFailure(error));
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof CodemodeError)) return "codemode failed. Its standard error says why.";
  // With its key, a run that has begun is found again.
  const remedy = error.code === "STORE_UNREACHABLE" ? "Send the same call again. " : "";
  return `codemode failed (${error.code}). ${remedy}Its standard error says why.`;
}

/** Tells of a request to call a tool, from its arrival to its answer. Changes neither. */
export async function reportRequest<Answer extends object>(
  events: HostEvents | undefined,
  request: RequestFacts,
  answer: (trace: TraceContext | undefined, emit?: Emit<RequestEvent>) => Promise<Answer>,
): Promise<Answer> {
  if (events === undefined) return answer(request.trace);
  const tell = events.open();
  const known: { toolName?: string; code?: string | undefined } = {};
  const emit =
    tell &&
    ((event: RequestEvent) => {
      if (event.type === "request-named") known.toolName = event.toolName;
      if (event.type === "request-failed") known.code = event.code;
      if (event.type === "request-admitted") known.code = undefined;
      tell({ ...event, request });
    });
  const end = (how: { isError: boolean; rpcCode?: number }): void =>
    emit?.({ type: "request-ended", ...known, ...how, durationMs: performance.now() - request.arrivedAt });
  emit?.({ type: "request-started" });
  try {
    const result = await answer(events.tracing?.traceOf(request) ?? request.trace, emit);
    end({ isError: (result as { isError?: unknown }).isError === true });
    return result;
  } catch (error) {
    const rpcCode = error instanceof ProtocolError ? error.code : ProtocolErrorCode.InternalError;
    end({ isError: false, rpcCode });
    throw error;
  }
}

/** What a request says of itself. Where its `_meta` names no trace, the one of its HTTP request is taken. */
export function readRequestFacts(
  { mcpReq, sessionId, http }: ServerContext,
  client: string,
  protocolVersion: string | undefined,
): RequestFacts {
  const httpTrace = readHttpTrace(http?.req?.headers);
  const trace = readTraceContext(mcpReq._meta) ?? httpTrace;
  return {
    transport: http === undefined ? "stdio" : "http",
    requestId: mcpReq.id,
    arrivedAt: performance.now(),
    client: client === "" ? undefined : client,
    sessionId,
    protocolVersion,
    trace,
    httpTrace,
  };
}

function readHttpTrace(headers: Headers | undefined): RequestFacts["httpTrace"] {
  const traceparent = headers?.get("traceparent");
  return readTraceContext({ traceparent, tracestate: headers?.get("tracestate") });
}

/** Tells of a session; the function tells of its end. */
function reportSession({ emit }: HostEvents, session: SessionFacts): () => void {
  const startedAt = performance.now();
  emit({ type: "session-started", session });
  return () => emit({ type: "session-ended", session, durationMs: performance.now() - startedAt });
}

/** Of a server whose client has just opened a session. Over HTTP sessions have ids. */
function readSessionFacts(server: Server): SessionFacts {
  const protocolVersion = server.getNegotiatedProtocolVersion();
  return {
    transport: server.transport?.sessionId === undefined ? "stdio" : "http",
    protocolVersion,
  };
}
