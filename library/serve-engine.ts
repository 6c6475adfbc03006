import type { Host } from "../engine/open-host.ts";
import { makeSavedScripts } from "../engine/saved-scripts.ts";
import type { Access } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import type { Approve, ConsentWay } from "../schemas/run/approval.ts";
import { describeRunTool } from "../serve/describe-tool.ts";
import { makeView } from "../serve/make-view.ts";
import type { DescribedTool, ServableTransport } from "./engine.ts";

/** An engine, for those who list its tools. */
export interface ServedEngine {
  host: Host;
  config: Config;
  access: Access;
  note: (line: string) => void;
}

/** Runs work that `close` waits for, with a signal that aborts when the engine is closed. */
export type Track = <Value>(work: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal) => Promise<Value>;

/** How an engine is offered to agents. */
export interface Serving {
  /** Describes the tool that runs code; the program that calls it gives approval by `approve`. */
  describeTool(approve: Approve, consentBy: ConsentWay | undefined, track: Track): DescribedTool;
  /**
   * Serves MCP on one connection; the function ends it. The client at the other end may be any program, so it gives approval only where
   * `serve.mayApprove` of the configuration says that a person answers through it.
   */
  serveOn(transport: ServableTransport): Promise<() => Promise<void>>;
}

const UNWATCHED = { logged: () => undefined, callEvent: () => undefined };

/** Runs that are cancelled because the connection ends get so long to be answered, in milliseconds. */
const GRACE_MS = 3000;

/** Offers an engine; its saved scripts are bundled once for all its clients. */
export function makeServing({ host, config, access, note }: ServedEngine): Serving {
  const scripts = makeSavedScripts({ config, host, note });
  // One view, so that a script can import the long results of those before.
  const view = makeView({ host, scripts, config, access });
  return {
    describeTool(approve, consentBy, track) {
      const { call, ...tool } = describeRunTool(view, config.serve);
      return {
        ...tool,
        call: (args, { signal } = {}) =>
          track((ends) => call(args, { stream: UNWATCHED, signal: ends, approve, consentBy }), signal),
      };
    },
    async serveOn(transport) {
      const { makeAgentService } = await import("../serve/agent-service.ts");
      const { resolveApprovalKey } = await import("../serve/http/http-plan.ts");
      const service = makeAgentService({
        config,
        engine: Promise.resolve({ host, scripts }),
        approvalKey: resolveApprovalKey(config, process.env),
        onFailure: (error) => note(error instanceof Error ? error.message : String(error)),
      });
      const server = await service.makeServer({ ...access, mayApprove: config.serve.mayApprove ?? false });
      await server.connect(transport);
      return async () => {
        await service.stop(GRACE_MS);
        await server.close();
      };
    },
  };
}
