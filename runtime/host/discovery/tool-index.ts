import MiniSearch, { type SearchResult } from "minisearch";
import { stemmer } from "stemmer";
import { byCodeUnits } from "../../../schemas/canonical-json.ts";
import { isJsonObject, ownValue } from "../../../schemas/json.ts";
import type { LockedTool, Lockfile } from "../../../schemas/lockfile.ts";

/** Where a tool is. */
export interface ToolPlace {
  serverId: string;
  toolName: string;
}

/** Finds tools by words. */
export interface ToolIndex {
  /** The best match first; ties in the order of server and tool. */
  search(query: string, options: { serverId?: string | undefined; limit: number }): ToolPlace[];
}

const FIELDS = ["name", "title", "server", "description", "parameters", "parameterTexts"] as const;

/** A match in a name says more than one in a long description. */
const BOOST = { name: 5, title: 4, server: 2, description: 2, parameters: 1.5, parameterTexts: 1 };

/** Builds the index of all tools (BM25 over stemmed words). Once per lockfile. */
export function makeToolIndex(lockfile: Lockfile): ToolIndex {
  const places: ToolPlace[] = [];
  const index = new MiniSearch({ fields: [...FIELDS], tokenize: splitWords, processTerm: toStem });
  for (const { id: serverId, name: serverName, tools } of lockfile.servers.values()) {
    for (const tool of tools) {
      index.add({ id: places.length, server: `${serverId} ${serverName}`, ...toFields(tool) });
      places.push({ serverId, toolName: tool.name });
    }
  }
  const placeOf = (result: SearchResult): ToolPlace => places[result.id as number] as ToolPlace;
  return {
    search(query, { serverId, limit }) {
      const results = index.search(query, {
        boost: BOOST,
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        filter: (result) => serverId === undefined || placeOf(result).serverId === serverId,
      });
      const ranked = results.map((result) => ({ score: result.score, place: placeOf(result) }));
      return ranked
        .toSorted((left, right) => right.score - left.score || comparePlaces(left.place, right.place))
        .slice(0, limit)
        .map(({ place }) => place);
    },
  };
}

function comparePlaces(left: ToolPlace, right: ToolPlace): number {
  return byCodeUnits(left.serverId, right.serverId) || byCodeUnits(left.toolName, right.toolName);
}

function toFields({ name, title = "", description = "", inputSchema }: LockedTool): Record<string, string> {
  const properties = isJsonObject(inputSchema) ? (ownValue(inputSchema, "properties") ?? {}) : {};
  const parameters = isJsonObject(properties) ? Object.entries(properties) : [];
  const texts = parameters.map(([, schema]) => (isJsonObject(schema) ? ownValue(schema, "description") : undefined));
  return {
    name,
    title,
    description,
    parameters: parameters.map(([parameter]) => parameter).join(" "),
    parameterTexts: texts.filter((text) => typeof text === "string").join(" "),
  };
}

/** `readTextFile`, `read_text_file` and `read text file` are the same three words. */
function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Words that say nothing of a tool. */
const STOP_WORDS = new Set(
  "a an and are as at be by can do for from have how i in is it me my of on or that the this to use what which will with you your".split(
    " ",
  ),
);

/** `files` finds `file` and `creating` finds `create` (Porter's algorithm). */
function toStem(term: string): string | null {
  const word = term.toLowerCase();
  return STOP_WORDS.has(word) ? null : stemmer(word);
}
