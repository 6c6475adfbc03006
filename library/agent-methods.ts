import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import type { Engine } from "./engine.ts";
import { engineLimited } from "./errors.ts";
import { toFrameworkTool } from "./framework-tool.ts";
import type { Serving } from "./serve-engine.ts";

/**
 * Makes what offers an engine to agents.
 * @param serving undefined where the engine is for one script or for calls alone
 * @param endings receives what ends connections
 */
export function makeAgentMethods(
  serving: Serving | undefined,
  endings: (() => Promise<void>)[],
): Pick<Engine, "describeTool" | "toolFor" | "describeTools" | "toolsFor" | "connectTo"> {
  const served = (): Serving => {
    if (serving === undefined) throw engineLimited();
    return serving;
  };
  return {
    describeTool: () => served().describeTool(),
    describeTools: () => served().describeTools(),
    toolsFor: async (context) => served().describeToolsFor(context),
    toolFor: async (context) => toFrameworkTool(await served().describeToolFor(context)),
    async connectTo(transport, options = {}) {
      const { serveOn } = served();
      const end = await outsideOfRequests(() => serveOn(transport, options));
      endings.push(end);
      return end;
    },
  };
}
