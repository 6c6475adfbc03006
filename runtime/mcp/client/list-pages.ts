import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { makeListingBounds } from "./listing-bounds.ts";

const MAX_PAGES = 1_000;

/** What a server may get wrong about a list as a whole; the message names it. */
export class ListError extends Error {}

/** Sends one request with these params. */
export type RequestPage = (params: JsonObject) => Promise<JsonObject>;

/** Which list is walked. */
export interface ListedKind {
  method: string;
  /** The member of a page that has the entries. */
  key: string;
  /** How many entries are too many. */
  most: number;
}

/** Walks all pages of a list from the start. Throws `ListError` for one that cannot be right. */
export async function listPages({ method, key, most }: ListedKind, requestPage: RequestPage): Promise<JsonValue[]> {
  const entries: JsonValue[] = [];
  const cursors = new Set<string>();
  const findExcess = makeListingBounds();
  let params: JsonObject = {};
  for (;;) {
    const page = await requestPage(params);
    const pageEntries = ownValue(page, key);
    if (!Array.isArray(pageEntries)) throw new ListError(`the result of ${method} has no array of ${key}`);
    if (entries.length + pageEntries.length > most) throw new ListError(`it lists over ${most} ${key}`);
    for (const entry of pageEntries) {
      const excess = findExcess(entry);
      if (excess !== undefined) throw new ListError(`${describeEntry(entry)} of ${method} ${excess}`);
      entries.push(entry);
    }

    const cursor = ownValue(page, "nextCursor") ?? "";
    if (typeof cursor !== "string") throw new ListError(`the cursor of ${method} is not a string`);
    if (cursor === "") return entries;
    if (cursors.has(cursor)) throw new ListError(`${method} repeats a cursor and would never end`);
    if (cursors.add(cursor).size >= MAX_PAGES) throw new ListError(`${method} has over ${MAX_PAGES} pages`);
    params = { cursor };
  }
}

function describeEntry(entry: JsonValue): string {
  const name = isJsonObject(entry) ? (ownValue(entry, "name") ?? ownValue(entry, "uriTemplate")) : undefined;
  return typeof name === "string" ? `the entry ${JSON.stringify(name.slice(0, 100))}` : "an entry";
}
