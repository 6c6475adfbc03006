import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { callAsTask, takesTasks } from "./call-as-task.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailures } from "./connection-failures.ts";
import type { Link } from "./establish-link.ts";
import { toParamHeaders } from "./http/header-annotations.ts";
import { annotatedToolsOf, listToolsOverLink, taskToolsOf, usesHeaders, listPagesOverLink } from "./list-all-tools.ts";
import type { RequestSettings } from "./mcp-client.ts";
import { parseOperationName, type OperationName } from "./operations/operation-name.ts";
import { toPromptValue } from "./operations/prompt-operations.ts";
import { toListedResource, toResourceValue } from "./operations/resource-operations.ts";
import { uriOf } from "./operations/uri-of.ts";

/** The headers do not say what the server expected (MCP 2026-07-28): it has not looked at the call. */
const HEADER_MISMATCH = -32020;

/** Calls a tool, or what its name means instead. */
export function callOverLink(
  link: Link,
  failures: ConnectionFailures,
  params: JsonObject,
  settings: RequestSettings,
): Promise<JsonObject> {
  const name = params["name"] as string;
  const operation = parseOperationName(name);
  if (operation.kind !== "tool") return callOperation(operation, { link, failures }, params, settings);
  const action = `the call of tool "${name}"`;
  const call = (): Promise<JsonObject> =>
    (taskToolsOf(link)?.has(name) === true ? callAsTask : callTool)(link, failures, params, action, settings);
  // Which tools of a server that offers tasks have to be called as such is known from its list.
  if (taskToolsOf(link) !== undefined || !takesTasks(link.client.handshake)) return call();
  return listToolsOverLink(link, failures, settings.timeoutMs, settings.signal).then(call);
}

function callTool(
  link: Link,
  failures: ConnectionFailures,
  params: JsonObject,
  action: string,
  settings: RequestSettings,
): Promise<JsonObject> {
  return usesHeaders(link)
    ? callWithHeaders(link, failures, params, action, settings)
    : link.client.request("tools/call", params, action, settings);
}

/** Calls a tool some of whose arguments have to be repeated in headers, with them. */
async function callWithHeaders(...[link, failures, params, action, settings]: Parameters<typeof callTool>) {
  const { timeoutMs, signal } = settings;
  const call = (): Promise<JsonObject> => {
    const inputSchema = annotatedToolsOf(link)?.get(params["name"] as string)?.["inputSchema"];
    return inputSchema === undefined
      ? link.client.request("tools/call", params, action, settings)
      : link.client.request("tools/call", params, action, {
          ...settings,
          headers: toParamHeaders(inputSchema, params["arguments"]),
        });
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

const RESOURCES = { method: "resources/list", key: "resources", most: 100_000 };

/** Everything but a tool. */
type Operation = Exclude<OperationName, { kind: "tool" }>;

/**
 * Performs an operation that is no tool. Its value is `structuredContent`, so that it is checked, observed and unwrapped like the result
 * of a tool.
 */
async function callOperation(
  operation: Operation,
  { link, failures }: { link: Link; failures: ConnectionFailures },
  { arguments: input = {}, _meta: meta }: JsonObject,
  settings: RequestSettings,
): Promise<JsonObject> {
  const { client } = link;
  const withMeta = (params: JsonObject): JsonObject => (meta === undefined ? params : { ...params, _meta: meta });

  if (operation.kind === "resource-list") {
    const entries = await listPagesOverLink(RESOURCES, link, failures, settings.timeoutMs, settings.signal);
    return valid(entries.map(toListedResource).filter((entry) => entry !== undefined));
  }
  if (operation.kind === "prompt") {
    const params = withMeta({ name: operation.prompt, arguments: input });
    const result = await client.request("prompts/get", params, `the prompt "${operation.prompt}"`, settings);
    return valid(toPromptValue(result) ?? fail("the result of prompts/get has no array of messages"));
  }
  const uri = uriOf(operation, input);
  if (uri === undefined) return fail("no URI can be made of these values");
  const result = await client.request("resources/read", withMeta({ uri }), "the read of a resource", settings);
  return valid(toResourceValue(result) ?? fail("the result of resources/read has no array of contents"));

  function fail(problem: string): never {
    throw failures.protocol(problem);
  }
}

function valid(value: JsonValue): JsonObject {
  return { content: [], structuredContent: value };
}
