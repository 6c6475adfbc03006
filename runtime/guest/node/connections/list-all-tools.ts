import { isJsonObject, ownValue, type JsonObject } from "../json.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { Link } from "./establish-link.ts";
import { readHeaderAnnotations } from "./http/header-annotations.ts";
import { listTools, ToolListError, type ToolList, type ToolListProblem, type WireTool } from "./list-tools.ts";

/** JSON-RPC's "method not found". */
const METHOD_NOT_FOUND = -32601;

/** Tools some of whose arguments go into headers too, as each link last heard of them. */
const annotatedTools = new WeakMap<Link, ReadonlyMap<string, WireTool>>();

/** The time-out is for the whole walk: a server that gives a thousand slow pages must not take a thousand times as long. */
export async function listToolsOverLink(
  link: Link,
  failures: ConnectionFailures,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ToolList> {
  const { client } = link;
  const deadline = performance.now() + timeoutMs;
  try {
    const requestPage = async (params: JsonObject) => {
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) throw failures.timedOut("tools/list", timeoutMs);
      return client.request("tools/list", params, "tools/list", { timeoutMs: remainingMs, signal });
    };
    return usesHeaders(link) ? await listAnnotated(link, requestPage) : await listTools(requestPage, findTaskFault);
  } catch (error) {
    if (error instanceof ToolListError) throw failures.protocol(error.message);
    if (!(error instanceof ConnectionError)) throw error;
    if (error.kind === "timeout") throw failures.timedOut("tools/list", timeoutMs);
    // A server without tools need not know the method (MCP, capability negotiation).
    const hasTools = Object.hasOwn(client.handshake.capabilities, "tools");
    if (error.code === METHOD_NOT_FOUND && !hasTools) return { tools: [], problems: [] };
    throw error;
  }
}

/** Whether arguments are repeated in headers: over streamable HTTP, in the modern era. */
export function usesHeaders({ client, transport }: Link): boolean {
  return transport.kind === "http" && client.handshake.era === "modern";
}

/** The tools of a link whose calls need headers; undefined as long as the list was not asked for. */
export function annotatedToolsOf(link: Link): ReadonlyMap<string, WireTool> | undefined {
  return annotatedTools.get(link);
}

/** A client must drop tools with annotations that break the rules (MCP 2026-07-28, streamable HTTP). */
async function listAnnotated(link: Link, requestPage: (params: JsonObject) => Promise<JsonObject>): Promise<ToolList> {
  const annotated = new Map<string, WireTool>();
  const list = await listTools(requestPage, (tool) => {
    const annotations = readHeaderAnnotations(ownValue(tool, "inputSchema"));
    if (annotations === "valid") annotated.set(tool.name, tool);
    return annotations === "invalid" ? "invalid-header" : findTaskFault(tool);
  });
  annotatedTools.set(link, annotated);
  return list;
}

/** A tool that can only be called as a task (MCP 2025-11-25, `execution.taskSupport`), which codemode does not do: every call would fail. */
function findTaskFault({ execution }: WireTool): ToolListProblem["reason"] | undefined {
  const isRequired = isJsonObject(execution) && ownValue(execution, "taskSupport") === "required";
  return isRequired ? "needs-task" : undefined;
}
