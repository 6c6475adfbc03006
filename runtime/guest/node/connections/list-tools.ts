import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../json.ts";

const MAX_PAGES = 1_000;
const MAX_TOOLS = 100_000;

/** A tool as it came on the wire; only the name is known to be of its type. */
export type WireTool = JsonObject & { name: string };

/** Why an entry of a tool list was left out; of equal names the first one stays. */
export interface ToolListProblem {
  reason: "duplicate-name" | "invalid-header" | "needs-task" | "no-name" | "not-an-object";
  /** In the whole list, from 0. */
  position: number;
  name?: string;
}

export interface ToolList {
  /** The entries as they came; each is an object with a name that no other has. */
  tools: WireTool[];
  /** The entries that were left out. */
  problems: ToolListProblem[];
}

type FindFault = (tool: WireTool) => ToolListProblem["reason"] | undefined;

/** What a server may get wrong about the list as a whole; the message names it. */
export class ToolListError extends Error {}

/**
 * Walks all pages of `tools/list` from the start. One bad entry never costs the others.
 * @param requestPage sends one request with these params
 * @param findFault looks at a tool that has a name of its own, and says why it must be left out all the same
 */
export async function listTools(
  requestPage: (params: JsonObject) => Promise<JsonObject>,
  findFault: FindFault = () => undefined,
): Promise<ToolList> {
  const entries: JsonValue[] = [];
  const cursors = new Set<string>();
  let params: JsonObject = {};
  for (;;) {
    const page = await requestPage(params);
    const pageEntries = ownValue(page, "tools");
    if (!Array.isArray(pageEntries)) throw new ToolListError("the result of tools/list has no array of tools");
    if (entries.length + pageEntries.length > MAX_TOOLS) throw new ToolListError(`it lists over ${MAX_TOOLS} tools`);
    for (const entry of pageEntries) entries.push(entry);

    const cursor = ownValue(page, "nextCursor") ?? "";
    if (typeof cursor !== "string") throw new ToolListError("the cursor of tools/list is not a string");
    if (cursor === "") return sortOut(entries, findFault);
    if (cursors.has(cursor)) throw new ToolListError("tools/list repeats a cursor and would never end");
    if (cursors.add(cursor).size >= MAX_PAGES) throw new ToolListError(`tools/list has over ${MAX_PAGES} pages`);
    params = { cursor };
  }
}

function sortOut(entries: readonly JsonValue[], findFault: FindFault): ToolList {
  const tools: WireTool[] = [];
  const problems: ToolListProblem[] = [];
  const names = new Set<string>();
  entries.forEach((entry, position) => {
    if (!isJsonObject(entry)) return problems.push({ reason: "not-an-object", position });
    const name = ownValue(entry, "name");
    if (typeof name !== "string" || name === "") return problems.push({ reason: "no-name", position });
    if (names.has(name)) return problems.push({ reason: "duplicate-name", position, name });
    names.add(name);
    const fault = findFault(entry as WireTool);
    if (fault !== undefined) return problems.push({ reason: fault, position, name });
    return tools.push(entry as WireTool);
  });
  return { tools, problems };
}
