import type { JsonObject, Link } from "./link.ts";

/** The definitions of a server's tools as they came, by name. */
export type ToolList = ReadonlyMap<string, JsonObject>;

const MAX_PAGES = 1_000;

/** Asks for the whole list. Entries that are no tools are passed over. Throws `LinkFailure`. */
export async function listTools(link: Link): Promise<ToolList> {
  const tools = new Map<string, JsonObject>();
  let params: JsonObject = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    // One page names the next.
    const { tools: entries, nextCursor } = await link.request("tools/list", params, "tools/list");
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      const { name } = (entry ?? {}) as { name?: unknown };
      if (typeof name === "string" && !tools.has(name)) tools.set(name, entry as JsonObject);
    }
    if (typeof nextCursor !== "string" || nextCursor === "") break;
    params = { cursor: nextCursor };
  }
  return tools;
}
