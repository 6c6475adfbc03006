import type { JsonObject } from "../json.ts";
import { callAsTask, takesTasks } from "./call-as-task.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { Link } from "./establish-link.ts";
import { annotatedToolsOf, listToolsOverLink, taskToolsOf, usesHeaders } from "./list-all-tools.ts";
import type { RequestSettings } from "./mcp-client.ts";
import { callOperation } from "./operations/call-operation.ts";
import { parseOperationName } from "./operations/operation-name.ts";

/** The headers do not say what the server expected (MCP 2026-07-28): it has not looked at the call. */
const HEADER_MISMATCH = -32020;

/** Calls a tool, or what its name means instead; where some of its arguments have to be repeated in headers, with them. */
export async function callOverLink(
  link: Link,
  failures: ConnectionFailures,
  params: JsonObject,
  settings: RequestSettings,
): Promise<JsonObject> {
  const name = params["name"] as string;
  const operation = parseOperationName(name);
  if (operation.kind !== "tool") return callOperation(operation, { link, failures }, params, settings);
  const action = `the call of tool "${name}"`;
  const { timeoutMs, signal } = settings;
  if (takesTasks(link.client.handshake)) {
    if (taskToolsOf(link) === undefined) await listToolsOverLink(link, failures, timeoutMs, signal);
    if (taskToolsOf(link)?.has(name) === true) return callAsTask(link, failures, params, action, settings);
  }
  if (!usesHeaders(link)) return link.client.request("tools/call", params, action, settings);

  const call = (): Promise<JsonObject> => {
    const inputSchema = annotatedToolsOf(link)?.get(name)?.["inputSchema"];
    return inputSchema === undefined
      ? link.client.request("tools/call", params, action, settings)
      : link.client.callWithHeaders(params, inputSchema as JsonObject, action, settings);
  };
  if (annotatedToolsOf(link) === undefined) await listToolsOverLink(link, failures, timeoutMs, signal);
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.code !== HEADER_MISMATCH) throw error;
    // What is known of the tool is old.
    await listToolsOverLink(link, failures, timeoutMs, signal);
    return call();
  }
}
