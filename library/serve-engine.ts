import { AsyncLocalStorage } from "node:async_hooks";
import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { Host } from "../engine/open-host.ts";
import { makeSavedScripts } from "../engine/saved-scripts.ts";
import type { Access } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import type { ServeSettings } from "../schemas/config/serve-settings.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { OnCallbackFailed } from "../schemas/run/call-back.ts";
import { runCode, describeRunTool, describeSearchTool, type RunTool } from "../serve/describe-tool.ts";
import { makeView } from "../serve/make-view.ts";
import type { ServedView } from "../serve/surface.ts";
import type { ServeOnOptions, DescribedTool, DescribedTools, ServableTransport, ServedRequest } from "./engine.ts";
import { fromFramework, toFrameworkTool, withStandard } from "./framework-tool.ts";
import { withCheckedOptions } from "./known-options.ts";
import { makeCallbackReport } from "./callbacks.ts";
import type { Rights } from "./own-rights.ts";
import type { RunPartsOf } from "./run-parts.ts";
import type { Track } from "./track-work.ts";

/** An engine, for those who list its tools. */
export interface ServedEngine {
  host: Host;
  config: Config;
  access: Access;
  partsOf: RunPartsOf;
  note: (line: string) => void;
  track: Track;
}

/** How an engine is offered to agents. */
export interface Serving {
  /** Describes the tool that runs code, as that access shows it, the engine's own unless given; the program that calls it gives approval by `approve`. */
  describeTool(access?: Access): DescribedTool;
  /** The same for a context. */
  describeToolFor(context: unknown): Promise<DescribedTool>;
  /** The same, with a tool that searches where its description does not have all signatures. */
  describeTools(): DescribedTools;
  /** The same for a context. */
  describeToolsFor(context: unknown): Promise<DescribedTools>;
  /**
   * Serves MCP on one connection; the function ends it. The client at the other end may be any program, so it gives approval only where
   * `serve.mayApprove` of the configuration says that a person answers through it.
   */
  serveOn(transport: ServableTransport, options: ServeOnOptions): Promise<() => Promise<void>>;
}

/** Runs that are cancelled because the connection ends get so long to be answered, in milliseconds. */
const GRACE_MS = 3000;

/** Offers an engine; its saved scripts are bundled once for all its clients. */
export function makeServing(served: ServedEngine): Serving {
  const { host, config, access: base, partsOf, note, track } = served;
  const scripts = makeSavedScripts(config, host, note);
  /** By what guards take out: one view each, so that a script can import the long results of those before. */
  const views = new Map<string, ServedView>();
  const viewFor = (access: Access): ServedView => {
    const key = (access.hidden ?? []).join("\n");
    const view = views.get(key) ?? makeView({ host, scripts, config, access });
    views.set(key, view);
    return view;
  };
  const call: DescribedTool["call"] = (args, options = {}) => {
    const { key, signal, limits } = options;
    return track(async (ends) => {
      const { access, caller, approve, approvalBy, emit, wantsProgress, withFindings } = await partsOf(options);
      const asked = { emit, wantsProgress, signal: ends, approve, caller };
      const of = { ...asked, takesMedia: true, ...withoutUndefined({ approvalBy, key, limits }) };
      const answer = await runCode(viewFor(access), args, of);
      answer.diagnostics = withFindings(answer).diagnostics;
      return answer;
    }, signal);
  };
  const accessFor = async (context: unknown): Promise<Access> => (await partsOf({ context })).access;
  const toDescribed = ({ call: _, ...tool }: RunTool): DescribedTool => withCheckedOptions("tool", { ...tool, call });
  const describeTools = (access: Access): DescribedTools => {
    const { search, code } = describeBoth(viewFor(access), config.serve);
    const ofCode = toFrameworkTool(toDescribed(code));
    if (search === undefined) return { code: ofCode };
    const execute = async (args: unknown, given?: unknown): Promise<string> => {
      const { context } = fromFramework(given);
      if (context === undefined) return search.execute(args);
      return describeSearchTool(viewFor(await accessFor(context)), config.serve).search.execute(args);
    };
    return { search: { ...search, inputSchema: withStandard(search.inputSchema), execute }, code: ofCode };
  };

  return {
    describeTool: (access = base) => toDescribed(describeRunTool(viewFor(access), config.serve)),
    describeToolFor: async (context) => toDescribed(describeRunTool(viewFor(await accessFor(context)), config.serve)),
    describeTools: () => describeTools(base),
    describeToolsFor: async (context) => describeTools(await accessFor(context)),
    async serveOn(transport, options) {
      const { makeAgentService } = await import("../serve/agent-service.ts");
      /** Of the request that is being answered. */
      const rights = new AsyncLocalStorage<Rights>();
      const report = makeCallbackReport(note);
      const service = makeAgentService({
        config,
        engine: Promise.resolve({ host, scripts }),
        callerOf: () => rights.getStore()?.caller,
        onFailure: (error) => note(error instanceof Error ? error.message : String(error)),
      });
      const mayApprove = config.serve.mayApprove ?? false;
      const server = await service.makeServer({
        ...{ ...base, mayApprove },
        get hidden() {
          const known = rights.getStore();
          return known === undefined ? base.hidden : known.access.hidden;
        },
      });
      if (options.context !== undefined || (config.own ?? []).length > 0)
        tellRequests(transport, report.onFailed, async (extra, answer) => {
          const context = await options.context?.(extra as ServedRequest);
          const way = { access: { ...base, mayApprove }, extra: extra as RunCaller["extra"], report };
          rights.run(await partsOf({ context }, way), answer);
        });
      await server.connect(transport);
      return async () => {
        await service.stop(GRACE_MS);
        await server.close();
      };
    },
  };
}

/** The tool that runs code, and one that searches where its description does not have all signatures. */
function describeBoth(view: ServedView, settings: ServeSettings) {
  const tool = describeRunTool(view, settings);
  const isWhole = [...view.lockfile().servers.keys()].every((id) =>
    tool.description.includes(`// "@codemode/servers/${id}"`),
  );
  return isWhole ? { search: undefined, code: tool } : describeSearchTool(view, settings);
}

/** Messages of an SDK's transport, with what it knows of their request. */
type OnMessage = (message: unknown, extra?: unknown) => void;

/** Looks at each message before its server, one after the other. */
function tellRequests(
  transport: ServableTransport,
  onFailed: OnCallbackFailed,
  enter: (extra: unknown, answer: () => void) => Promise<void>,
): void {
  const start = transport.start.bind(transport);
  const open = transport as ServableTransport & {
    onmessage?: OnMessage;
    onerror?: (error: Error) => void;
    sessionId?: string;
  };
  // The server listens when it starts the transport.
  open.start = () => {
    const { onmessage } = open;
    let last = Promise.resolve();
    open.onmessage = (message, extra) => {
      const known = withoutUndefined({ sessionId: open.sessionId, ...Object(extra) });
      last = last
        .then(() => enter(known, () => onmessage?.call(open, message, extra)))
        // Who it is cannot be said: it gets no answer.
        .catch((error: unknown) => {
          onFailed("context", error);
          open.onerror?.(error as Error);
        });
    };
    return start();
  };
}
