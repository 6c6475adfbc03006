import type { JsonObject, JsonValue } from "../../../../schemas/json/json.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import type { Link } from "../establish-link.ts";
import { listPagesOverLink } from "../list-all-tools.ts";
import type { RequestSettings } from "../exchange-rounds.ts";
import type { OperationName } from "./operation-name.ts";
import { toPromptValue } from "./prompt-operations.ts";
import { toListedResource, toResourceValue } from "./resource-operations.ts";
import { uriOf } from "./uri-of.ts";

const RESOURCES = { method: "resources/list", key: "resources", most: 100_000 };

/** Everything but a tool. */
export type Operation = Exclude<OperationName, { kind: "tool" }>;

/**
 * Performs an operation that is no tool. Its value is `structuredContent`, so that it is checked, observed and unwrapped like the result
 * of a tool.
 */
export async function callOperation(
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
