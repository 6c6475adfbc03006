import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { ToolListProblem, WireTool } from "../../../schemas/lock/server-snapshot.ts";

const MAX_PAGES = 1_000;
/** Code that walks definitions calls itself once per level. */
const MAX_LEVELS = 256;
/** Objects, arrays and scalars of one list. */
const MAX_VALUES = 2_000_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

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

/**
 * Walks all pages of a list from the start. Throws `ListError` for one that cannot be right. One whose cursor comes again ends there, which
 * `onRepeated` hears: what follows would be the same pages.
 */
export async function listPages(
  { method, key, most }: ListedKind,
  requestPage: RequestPage,
  onRepeated: () => void = () => undefined,
): Promise<JsonValue[]> {
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
    if (cursors.has(cursor)) {
      onRepeated();
      return entries;
    }
    if (cursors.add(cursor).size >= MAX_PAGES) throw new ListError(`${method} has over ${MAX_PAGES} pages`);
    params = { cursor };
  }
}

function describeEntry(entry: JsonValue): string {
  const name = isJsonObject(entry) ? (ownValue(entry, "name") ?? ownValue(entry, "uriTemplate")) : undefined;
  return typeof name === "string" ? `the entry ${JSON.stringify(name.slice(0, 100))}` : "an entry";
}

/** Counts what a list holds, over all of its pages: the function says what is too much, as the end of a sentence about the value. */
export function makeListingBounds(): (value: JsonValue) => string | undefined {
  let values = 0;
  let characters = 0;
  return (value) => {
    let level: JsonValue[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_LEVELS) return `is nested more than ${MAX_LEVELS} levels deep`;
      const next: JsonValue[] = [];
      for (const item of level) {
        values += 1;
        if (typeof item === "string") characters += item.length;
        else if (Array.isArray(item)) for (const member of item) next.push(member);
        else if (typeof item === "object" && item !== null) {
          for (const [key, member] of Object.entries(item)) {
            characters += key.length;
            next.push(member);
          }
        }
        if (values + next.length > MAX_VALUES) return `has, with those before it, more than ${MAX_VALUES} values`;
        if (characters > MAX_CHARACTERS) return `has, with those before it, more than ${MAX_CHARACTERS} characters`;
      }
      level = next;
    }
    return undefined;
  };
}

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
export async function listServerTools(
  requestPage: RequestPage,
  findFault: FindFault = () => undefined,
): Promise<ToolList> {
  let isRepeated = false;
  const entries = await listPages(TOOLS, requestPage, () => (isRepeated = true));
  const list = sortOut(entries, "name", (tool) => findFault(tool as WireTool) ?? (tool as WireTool));
  return isRepeated ? withRepeated(list) : list;
}

/** Notes that a list ended with a cursor that it had given before. What was listed twice then is no fault of its own. */
export function withRepeated({ tools, problems }: ToolList): ToolList {
  const others = problems.filter(({ reason }) => reason !== "duplicate-name");
  return { tools, problems: [...others, { reason: "repeated-cursor", position: tools.length }] };
}

/**
 * Sorts the entries of a list into usable ones and the rest.
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
