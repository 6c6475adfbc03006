import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { ConnectionError } from "../connection-error.ts";
import type { ConnectionFailures } from "../connection-failures.ts";
import type { Link } from "../establish-link.ts";
import { listPagesOverLink } from "../list-all-tools.ts";
import { sortOut, type ToolList, withRepeated } from "../list-pages.ts";
import type { ToolListProblem, WireTool } from "../../../../schemas/lock/server-snapshot.ts";
import { METHOD_NOT_FOUND } from "../wire/json-rpc.ts";
import { toPromptOperation } from "./prompt-operations.ts";
import { RESOURCE_OPERATIONS, toTemplateOperation } from "./resource-operations.ts";

/** The operations of a server beside its tools; a kind is absent where the server does not offer it. */
export interface Operations {
  resources?: WireTool[];
  prompts?: WireTool[];
  problems: ToolListProblem[];
}

/** These lists must not keep the tools waiting for longer. */
const LONGEST_WAIT_MS = 10_000;

const TEMPLATES = { method: "resources/templates/list", key: "resourceTemplates", most: 10_000 };
const PROMPTS = { method: "prompts/list", key: "prompts", most: 10_000 };

/** Lists what a server offers beside its tools, as far as it declares that. A list that fails is a problem, and costs no other. */
export async function listOperations(
  link: Link,
  failures: ConnectionFailures,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Operations> {
  const { capabilities } = link.client.handshake;
  const timeLimitMs = Math.min(timeoutMs, LONGEST_WAIT_MS);
  const walk = (kind: typeof TEMPLATES, onRepeated: () => void) =>
    listPagesOverLink(kind, link, failures, timeLimitMs, signal, onRepeated);
  const [resources, prompts] = await Promise.all([
    isJsonObject(ownValue(capabilities, "resources"))
      ? listTemplates((onRepeated) => walk(TEMPLATES, onRepeated))
      : undefined,
    isJsonObject(ownValue(capabilities, "prompts"))
      ? listPrompts((onRepeated) => walk(PROMPTS, onRepeated))
      : undefined,
  ]);
  return {
    ...withoutUndefined({
      resources: resources && [...RESOURCE_OPERATIONS, ...resources.tools],
      prompts: prompts?.tools,
    }),
    problems: [...(resources?.problems ?? []), ...(prompts?.problems ?? [])],
  };
}

/** Walks a list, and hears where it repeats itself. */
type Walk = (onRepeated: () => void) => Promise<JsonValue[]>;

async function listTemplates(walk: Walk): Promise<ToolList> {
  const { entries, isRepeated } = await attempt(walk);
  if (entries === undefined) return notListed("resources");
  const take = (entry: JsonObject, template: string) => toTemplateOperation(entry, template) ?? "bad-template";
  const list = sortOut(entries, "uriTemplate", take);
  return inList("resources", isRepeated ? withRepeated(list) : list);
}

async function listPrompts(walk: Walk): Promise<ToolList> {
  const { entries, isRepeated } = await attempt(walk);
  if (entries === undefined) return notListed("prompts");
  const take = (entry: JsonObject, name: string) => toPromptOperation(entry, name) ?? "bad-arguments";
  const list = sortOut(entries, "name", take);
  return inList("prompts", isRepeated ? withRepeated(list) : list);
}

/** The entries; undefined where the list failed. A server without templates need not know their method. */
async function attempt(walk: Walk): Promise<{ entries: JsonValue[] | undefined; isRepeated: boolean }> {
  let isRepeated = false;
  try {
    const entries = await walk(() => (isRepeated = true));
    return { entries, isRepeated };
  } catch (error) {
    // Without a connection, or after a cancellation, there are no tools either.
    if (!(error instanceof ConnectionError) || ["cancelled", "closed", "session-lost"].includes(error.kind))
      throw error;
    return { entries: error.code === METHOD_NOT_FOUND ? [] : undefined, isRepeated };
  }
}

function notListed(list: "prompts" | "resources"): ToolList {
  return { tools: [], problems: [{ reason: "not-listed", position: 0, list }] };
}

function inList(list: "prompts" | "resources", { tools, problems }: ToolList): ToolList {
  return { tools, problems: problems.map((problem) => ({ ...problem, list })) };
}
