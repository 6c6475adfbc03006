import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { ToolListProblem, WireTool } from "../../../schemas/lock/server-snapshot.ts";
import { listPages, type RequestPage } from "./list-pages.ts";

const TOOLS = { method: "tools/list", key: "tools", most: 100_000 };

export interface ToolList {
  /** The entries as they came; each is an object with a name that no other has. */
  tools: WireTool[];
  /** The entries that were left out. */
  problems: ToolListProblem[];
}

type FindFault = (tool: WireTool) => ToolListProblem["reason"] | undefined;

/**
 * Walks all pages of `tools/list` from the start. One bad entry never costs the others.
 * @param findFault looks at a tool that has a name of its own, and says why it must be left out all the same
 */
export async function listTools(requestPage: RequestPage, findFault: FindFault = () => undefined): Promise<ToolList> {
  return sortOut(
    await listPages(TOOLS, requestPage),
    "name",
    (tool) => findFault(tool as WireTool) ?? (tool as WireTool),
  );
}

/**
 * Sorts the entries of a list into those that can be used and the others.
 * @param key the member that tells entries apart
 * @param take makes the tool of an entry that has a name of its own, or says why it must be left out all the same
 */
export function sortOut(
  entries: readonly JsonValue[],
  key: string,
  take: (entry: JsonObject, name: string) => WireTool | ToolListProblem["reason"],
): ToolList {
  const tools: WireTool[] = [];
  const problems: ToolListProblem[] = [];
  const names = new Set<string>();
  entries.forEach((entry, position) => {
    if (!isJsonObject(entry)) return problems.push({ reason: "not-an-object", position });
    const name = ownValue(entry, key);
    if (typeof name !== "string" || name === "") return problems.push({ reason: "no-name", position });
    if (names.has(name)) return problems.push({ reason: "duplicate-name", position, name });
    names.add(name);
    const taken = take(entry, name);
    if (typeof taken === "string") return problems.push({ reason: taken, position, name });
    return tools.push(taken);
  });
  return { tools, problems };
}
