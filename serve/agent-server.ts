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
import type { Observer, RequestFacts, RequestObservation } from "../schemas/run/observer.ts";
import { VERSION } from "../schemas/version.ts";
import { answerCall } from "./agent/answer-call.ts";
import type { Caller } from "./agent/caller.ts";
import type { ApprovalStates } from "./agent/approval-states.ts";
import type { CallsInFlight } from "./agent/calls-in-flight.ts";
import { hideInternals } from "./agent/hide-internals.ts";
import { observeRequest, readRequestFacts, readSessionFacts } from "./agent/observe-request.ts";
import { readEnvelope } from "./agent/request-envelope.ts";
import { watchToolList } from "./agent/tool-list-watch.ts";
import type { ConsentDesk } from "./approvals/consent-desk.ts";
import { type ClientTraits, traitsOf } from "./client-traits.ts";
import { serveTasks, TASKS_EXTENSION } from "./long-runs/tasks.ts";
import type { LongRuns } from "./long-runs/runs.ts";
import type { Presentation } from "./presentation.ts";
import { serveSkills, SKILLS_EXTENSION } from "./skill.ts";

/** What one client's MCP server is made from. */
export interface AgentServerOptions {
  /** Known before anything else is: the handshake does not wait for the presentation. */
  instructions: string;
  /** Made with the view of this client, see `admitView`. */
  presentation: Presentation | Promise<Presentation>;
  /** Shared by all servers of the process. */
  calls: CallsInFlight;
  /** Shared by all servers of the process. */
  approvals: ApprovalStates;
  /** Shared by all servers of one client. */
  runs: LongRuns;
  /** Shared by all servers of the process; absent where no person can be asked outside of the client. */
  desk?: ConsentDesk | undefined;
  /** Who it is, so that no other can use its approvals; the same name for all its requests. */
  clientName?: string | undefined;
  heartbeatMs?: number | undefined;
  observer?: Observer | undefined;
  /** Receives the details of failures, which the client does not get. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/** A client that waits 5 s for progress outlasts any run, and notices a replica that is gone. */
const HEARTBEAT_MS = 2000;
/** Lists follow the lockfile, whose changes are announced; each client has its own. */
const CACHE_HINT: CacheHint = { ttlMs: 60_000, cacheScope: "private" };

/** Makes the MCP server of one client, for one connection: both protocol eras, any transport. */
export function makeAgentServer(options: AgentServerOptions): Server {
  const { calls, approvals, runs, clientName = "", heartbeatMs = HEARTBEAT_MS, onFailure = () => {} } = options;
  const { observer } = options;
  const presentation = Promise.resolve(options.presentation);
  // Every request says itself that there is none.
  presentation.catch(() => undefined);
  const codec = approvals.codecFor(clientName);
  const server = openSdkServer(options.instructions, codec);
  const answer: AnswerPresented = (make) => hideInternals(async () => make(await presentation), onFailure);

  const surface = presentation.then((presented) => presented.surface);
  surface.catch(() => undefined);
  const watch = watchToolList(surface, calls, () => server.sendToolListChanged());
  let endSession: (() => void) | undefined;
  server.oninitialized = () => (endSession ??= observer?.sessionStarted?.(readSessionFacts(server)));
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
    signal: AbortSignal,
    { trace }: RequestFacts,
    observation: RequestObservation | undefined,
  ): Caller => {
    const envelope = readEnvelope(context);
    const said = envelope ?? { capabilities: server.getClientCapabilities(), logLevel };
    return {
      approvals,
      runs,
      desk: options.desk,
      clientName,
      codec,
      isModern: envelope !== undefined,
      capabilities: said.capabilities,
      client: clientOf(context),
      logLevel: said.logLevel,
      heartbeatMs,
      signal,
      trace: observation?.trace ?? trace,
      observation,
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
    calls.track(context.mcpReq.signal, (signal) => {
      const facts = readRequestFacts(context, clientName, server.getNegotiatedProtocolVersion());
      return observeRequest(observer, facts, (observation) => {
        const caller = callerOf(context, signal, facts, observation);
        return answer((presented) => answerCall(presented.surface, request, context, caller));
      });
    }),
  );
  serveLists(server, answer);
  serveTasks(server, runs);
  serveSkills(server, (make) => answer((presented) => make(presented.lockfile())));
  return server;
}

type Codec = ReturnType<ApprovalStates["codecFor"]>;

function openSdkServer(instructions: string, { verify }: Codec): Server {
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
      requestState: { verify },
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
  server.setRequestHandler("resources/list", ({ params }) =>
    answer(async (presented) => {
      assertFirstPage(params);
      return { resources: asSdk(presented.listResources()) };
    }),
  );
  server.setRequestHandler("resources/templates/list", ({ params }) =>
    answer(async (presented) => {
      assertFirstPage(params);
      return { resourceTemplates: asSdk(presented.listResourceTemplates()) };
    }),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    answer(async (presented) => {
      const contents = await presented.readResource(uri);
      if (contents === undefined) throw new ResourceNotFoundError(uri);
      return { contents: asSdk<ReadResourceResult["contents"]>(contents) };
    }),
  );
  server.setRequestHandler("prompts/list", ({ params }) =>
    answer(async (presented) => {
      assertFirstPage(params);
      return { prompts: asSdk(presented.listPrompts()) };
    }),
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

/** Every list is one page, so no cursor is ours. */
function assertFirstPage(params: { cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such page.");
}
