import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { takesTasks } from "./call-as-task.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { Link } from "./establish-link.ts";
import { readHeaderAnnotations } from "./http/header-annotations.ts";
import {
  ListError,
  listPages,
  listServerTools,
  type ListedKind,
  type RequestPage,
  type ToolList,
} from "./list-pages.ts";
import type { ToolListProblem, WireTool } from "../../../schemas/lock/server-snapshot.ts";
import { METHOD_NOT_FOUND } from "./wire/json-rpc.ts";
import { isReservedName } from "./operations/operation-name.ts";

/** Tools some of whose arguments go into headers too, as each link last heard of them. */
const annotatedTools = new WeakMap<Link, ReadonlyMap<string, WireTool>>();

/** Tools that have to be called as tasks, as each link last heard of them. */
const taskTools = new WeakMap<Link, ReadonlySet<string>>();

export async function listToolsOverLink(
  link: Link,
  failures: ConnectionFailures,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ToolList> {
  const walk = (requestPage: RequestPage): Promise<ToolList> =>
    usesHeaders(link) ? listAnnotated(link, requestPage) : listPlain(link, requestPage);
  try {
    return await walkPages("tools/list", walk, link, failures, timeoutMs, signal);
  } catch (error) {
    // A server without tools need not know the method (MCP, capability negotiation).
    const hasTools = isJsonObject(ownValue(link.client.handshake.capabilities, "tools"));
    const isUnknown = error instanceof ConnectionError && error.code === METHOD_NOT_FOUND;
    if (isUnknown && !hasTools) return { tools: [], problems: [] };
    throw error;
  }
}

/** Notes which tools have to be called as tasks, where the server takes tasks; elsewhere they are of no use. */
async function listPlain(link: Link, requestPage: RequestPage): Promise<ToolList> {
  if (!takesTasks(link.client.handshake)) return listServerTools(requestPage, findFault);
  const list = await listServerTools(requestPage, findUnofferedTool);
  taskTools.set(link, new Set(list.tools.filter(needsTask).map(({ name }) => name)));
  return list;
}

/** The tools of a link that have to be called as tasks; undefined as long as the list was not asked for. */
export function taskToolsOf(link: Link): ReadonlySet<string> | undefined {
  return taskTools.get(link);
}

/** The entries of a list, all pages. */
export function listPagesOverLink(
  kind: ListedKind,
  link: Link,
  failures: ConnectionFailures,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  onRepeated?: () => void,
): Promise<JsonValue[]> {
  const walk = (requestPage: RequestPage): Promise<JsonValue[]> => listPages(kind, requestPage, onRepeated);
  return walkPages(kind.method, walk, link, failures, timeoutMs, signal);
}

/** The time-out is for the whole walk: a server that gives a thousand slow pages must not take a thousand times as long. */
async function walkPages<Result>(
  method: string,
  walk: (requestPage: RequestPage) => Promise<Result>,
  link: Link,
  failures: ConnectionFailures,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  try {
    return await walk(async (params) => {
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) throw failures.timedOut(method, timeoutMs);
      return link.client.request(method, params, method, { timeoutMs: remainingMs, signal });
    });
  } catch (error) {
    if (error instanceof ListError) throw failures.protocol(error.message);
    const isLate = error instanceof ConnectionError && error.kind === "timeout";
    throw isLate ? failures.timedOut(method, timeoutMs) : error;
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
async function listAnnotated(link: Link, requestPage: RequestPage): Promise<ToolList> {
  const annotated = new Map<string, WireTool>();
  const list = await listServerTools(requestPage, (tool) => {
    const annotations = readHeaderAnnotations(ownValue(tool, "inputSchema"));
    if (annotations === "valid") annotated.set(tool.name, tool);
    return annotations === "invalid" ? "invalid-header" : findFault(tool);
  });
  annotatedTools.set(link, annotated);
  return list;
}

/** As `findUnofferedTool`; also a tool that can only be called as a task, where the server takes none: every call would fail. */
function findFault(tool: WireTool): ToolListProblem["reason"] | undefined {
  return findUnofferedTool(tool) ?? (needsTask(tool) ? "needs-task" : undefined);
}

/** A tool whose name means a resource or a prompt, or one that its server keeps from models. */
function findUnofferedTool({ name, _meta }: WireTool): ToolListProblem["reason"] | undefined {
  if (isReservedName(name)) return "reserved-name";
  return isJsonObject(_meta) && isKeptFromModels(_meta) ? "app-only" : undefined;
}

/**
 * Whether only the page of an MCP App may call a tool, after a click of a person (MCP Apps, `_meta.ui.visibility`; before it OpenAI's
 * `openai/visibility`). A visibility of another form is a restriction too: only one that names the model admits it.
 */
function isKeptFromModels(meta: JsonObject): boolean {
  const ui = ownValue(meta, "ui");
  const visibility = isJsonObject(ui) ? ownValue(ui, "visibility") : undefined;
  const admitsModel = Array.isArray(visibility) ? visibility.includes("model") : visibility === "model";
  if (visibility !== undefined && !admitsModel) return true;
  const audience = ownValue(meta, "openai/visibility");
  return audience !== undefined && audience !== "public";
}

/** MCP 2025-11-25, `execution.taskSupport`. */
function needsTask({ execution }: WireTool): boolean {
  return isJsonObject(execution) && ownValue(execution, "taskSupport") === "required";
}
