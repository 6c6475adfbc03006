import { Server } from "@modelcontextprotocol/server";
import { serveStdio as serveOverStdio } from "@modelcontextprotocol/server/stdio";
import { failedAnswer, type RunAnswer, type RunLimits } from "../../schemas/answer.ts";
import type { JsonValue } from "../../schemas/json.ts";
import type { Host } from "../pipeline/host.ts";
import { VERSION } from "../../schemas/version.ts";
import { describeRules, describeRunTool, isRunTool, parseRunToolRequest } from "./run-tool.ts";

/** What is served, and how it is called. */
export interface ServeOptions {
  host: Host;
  limits: RunLimits;
  toolName: string;
}

/** Serves MCP on standard input and output; resolves when the client hangs up or the signal is aborted. */
export async function serveStdio(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const handle = serveOverStdio(() => makeServer(options));
  await new Promise<void>((resolve) => {
    process.stdin.once("close", resolve).once("end", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await handle.close();
}

function makeServer({ host, limits, toolName }: ServeOptions): Server {
  const server = new Server(
    { name: "codemode", version: VERSION },
    { capabilities: { tools: {} }, instructions: describeRules(limits) },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [describeRunTool(toolName, host.lockfile()) as never] }));
  server.setRequestHandler("tools/call", async (request, context) => {
    if (!isRunTool(request.params.name, toolName))
      return toolError(`Unknown tool: ${request.params.name}. The one tool is ${toolName}.`);
    const asked = parseRunToolRequest(request.params.arguments as JsonValue | undefined);
    if (typeof asked === "string") return toolError(asked);
    const unknown = asked.requestedCapabilities.filter((id) => !host.lockfile().servers.has(id));
    const answer = await host.run({
      script: { code: asked.code, name: "script.ts" },
      limits: asked.limits,
      signal: context.mcpReq.signal,
    });
    return toResult(withUnknownCapabilities(answer, unknown));
  });
  return server;
}

/** Specification 3.2.3: a host must not silently claim what it cannot provide. */
function withUnknownCapabilities(answer: RunAnswer, unknown: readonly string[]): RunAnswer {
  const notes = unknown.map((id) => ({
    severity: "warning" as const,
    code: "SERVER_UNAVAILABLE" as const,
    message: `There is no server "${id}".`,
    hint: "Request only servers that the tool's description lists.",
  }));
  return { ...answer, diagnostics: [...answer.diagnostics, ...notes] };
}

function toResult(answer: RunAnswer) {
  return { content: [{ type: "text" as const, text: JSON.stringify(answer) }], structuredContent: { ...answer } };
}

function toolError(message: string) {
  return {
    content: [{ type: "text" as const, text: message }],
    structuredContent: { ...failedAnswer([]) },
    isError: true,
  };
}
