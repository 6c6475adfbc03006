import { firstSentence } from "../../../schemas/text/short-text.ts";
import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { Lockfile, LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf, subjectOfName } from "../../../schemas/lock/operations.ts";
import { memoizeByLockfile } from "../../../schemas/lock/memoize-by-lockfile.ts";
import { synonymsOf } from "./synonyms.ts";
import { makeWordIndex, type WordIndex } from "./word-index.ts";
import { makeStemmer, splitWords } from "./words.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";

/** Where a tool is. */
export interface ToolPlace {
  serverId: string;
  toolName: string;
}

/** Finds tools by words. */
export interface ToolIndex {
  /** The best match first, and not all of one server where others match too; ties in the order of server and tool. */
  search(query: string, options: { serverId?: string | undefined; limit: number }): ToolPlace[];
}

/** A match in a name says more than one in a long description. */
const BOOSTS: Readonly<Record<keyof ToolTexts, number>> = {
  name: 5,
  title: 4,
  server: 4,
  summary: 3,
  description: 1.5,
  parameters: 1,
  parameterTexts: 0.8,
  values: 0.8,
};

/** How much a match counts that is not of the word itself. */
const SYNONYM_WEIGHT = 0.6;

/** What a query names is worth more where nothing of it is missing, where it names the server, and where it says the whole name. */
const COVERAGE_POWER = 2;
const SERVER_FACTOR = 1.5;
const NAME_FACTOR = 1;

/** More of a query is not read. */
const LONGEST_QUERY = 2000;
const MAX_TERMS = 32;

interface IndexedTool extends ToolPlace {
  serverStems: readonly string[];
  texts: ToolTexts;
  /** The stems of the name that the server's are not among. */
  nameStems: readonly string[];
}

/** The index of a lockfile: it takes some hundred milliseconds to build, so all who see the same lockfile share one. */
export const toolIndexOf = memoizeByLockfile(makeToolIndex);

/** Builds the index of all tools: BM25 over stemmed words, and what lies beyond single words. Once per lockfile. */
function makeToolIndex(lockfile: Lockfile): ToolIndex {
  const toStems = makeStemmer();
  const toDistinctStems = (text: string): string[] => [...new Set(toStems(text))];
  const servers = [...modulesOfLockfile(lockfile).values()].toSorted((left, right) => byCodeUnits(left.id, right.id));
  const tools = servers.flatMap((server): IndexedTool[] => {
    const serverStems = toDistinctStems(server.id);
    return server.tools.map((tool) => ({
      serverId: server.id,
      toolName: tool.name,
      texts: toToolTexts(server, tool),
      serverStems,
      nameStems: toDistinctStems(subjectOfName(tool.name)).filter((stem) => !serverStems.includes(stem)),
    }));
  });
  const words = makeWordIndex(
    tools.map(({ texts }) => texts),
    BOOSTS,
    toStems,
  );
  const positionsByName = indexNames(tools);

  return {
    search(query, { serverId, limit }) {
      const read = query.slice(0, LONGEST_QUERY);
      const isWanted = (position: number): boolean =>
        serverId === undefined || isOf(serverId, (tools[position] as IndexedTool).serverId);
      const named = positionsByName.get(toNameKey(read))?.filter(isWanted) ?? [];
      const scores = rank(toDistinctStems(read).slice(0, MAX_TERMS), tools, words);
      const ranked = [...scores]
        .filter(([position]) => isWanted(position) && !named.includes(position))
        // Positions are in the order of server and tool.
        .toSorted(([leftAt, left], [rightAt, right]) => right - left || leftAt - rightAt)
        .map(([position]) => position);
      const places = [...named, ...ranked].map((position) => {
        const { serverId: id, toolName } = tools[position] as IndexedTool;
        return { serverId: id, toolName };
      });
      return serverId === undefined ? spreadServers(places, limit) : places.slice(0, limit);
    },
  };
}

/** The score of every tool that matches any of the terms. */
function rank(terms: readonly string[], tools: readonly IndexedTool[], words: WordIndex): Map<number, number> {
  const found = new Map<number, { score: number; coverage: number }>();
  let total = 0;
  for (const term of terms) {
    const own = words.matchesOf(term);
    // A term that hardly any tool has says most of what is looked for.
    const weight = Math.log(1 + (tools.length + 0.5) / (own.size + 0.5));
    total += weight;
    const best = new Map(own);
    for (const synonym of synonymsOf(term)) {
      if (!words.hasWord(synonym)) continue;
      for (const [position, score] of words.matchesOf(synonym)) {
        if (score * SYNONYM_WEIGHT > (best.get(position) ?? 0)) best.set(position, score * SYNONYM_WEIGHT);
      }
    }
    for (const [position, score] of best) {
      const known = found.get(position);
      if (known === undefined) found.set(position, { score, coverage: weight });
      else {
        known.score += score;
        known.coverage += weight;
      }
    }
  }
  const asked = new Set([...terms, ...terms.flatMap((term) => synonymsOf(term))]);
  const scores = new Map<number, number>();
  for (const [position, { score, coverage }] of found) {
    const { serverStems, nameStems } = tools[position] as IndexedTool;
    const server = serverStems.some((stem) => terms.includes(stem)) ? SERVER_FACTOR : 1;
    const ofName = nameStems.filter((stem) => asked.has(stem)).length / Math.max(1, nameStems.length);
    const factor = (coverage / total) ** COVERAGE_POWER * server * (1 + NAME_FACTOR * ofName);
    // Rounded, because sums of equal parts may differ in the last digit, and ties are to be ties.
    scores.set(position, Math.round(score * factor * 1e6) / 1e6);
  }
  return scores;
}

function indexNames(tools: readonly IndexedTool[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  tools.forEach(({ serverId, toolName }, position) => {
    for (const key of new Set([toNameKey(toolName), toNameKey(`${serverId} ${toolName}`)])) {
      positions.set(key, [...(positions.get(key) ?? []), position]);
    }
  });
  return positions;
}

/** Names that differ only in case and separators are the same name to a search. */
function toNameKey(text: string): string {
  return splitWords(text).join(" ").toLowerCase();
}

/** Whether a module is the one that is asked for, or of the server. */
function isOf(serverId: string, moduleId: string): boolean {
  return moduleId === serverId || serverIdOf(moduleId) === serverId;
}

/** The part of the results that may be of one server while others match too, and how many may be in any case. */
const LARGEST_PART = 0.6;
const ALWAYS = 6;

/**
 * The first of ranked tools, in their order, but not all of one server: a large server that matches every word a little would hide the one tool of
 * another that is meant.
 */
export function spreadServers<Place extends { serverId: string }>(ranked: readonly Place[], limit: number): Place[] {
  const most = Math.max(ALWAYS, Math.ceil(limit * LARGEST_PART));
  const counts = new Map<string, number>();
  const taken: Place[] = [];
  const others: Place[] = [];
  for (const place of ranked) {
    if (taken.length >= limit) break;
    const count = counts.get(place.serverId) ?? 0;
    counts.set(place.serverId, count + 1);
    (count < most ? taken : others).push(place);
  }
  return [...taken, ...others].slice(0, limit);
}

/** What is said of a tool, by how much it says. */
interface ToolTexts {
  name: string;
  title: string;
  server: string;
  /** The first sentence of the description, which is in `description` again. */
  summary: string;
  description: string;
  parameters: string;
  parameterTexts: string;
  /** The texts that parameters may have as their value. */
  values: string;
}

/** The end of a long description is about how to call the tool, not about what it is for. */
const LONGEST = { name: 200, summary: 300, description: 800, parameters: 6000 };
const MAX_SCHEMAS = 300;
const MAX_DEPTH = 6;
const MAX_VALUES = 50;

/** Collects what the search index reads of a tool. All of it is bounded, however long a server makes it. */
function toToolTexts(server: LockedServer, tool: LockedTool): ToolTexts {
  const { annotations } = tool;
  const hinted = isJsonObject(annotations) ? ownValue(annotations, "title") : undefined;
  const description = (tool.description ?? "").trimStart().slice(0, LONGEST.description);
  const start = description.slice(0, LONGEST.summary);
  const found = { names: [] as string[], texts: [] as string[], values: [] as string[], schemas: 0 };
  collectParameters(tool.inputSchema, 0, found);
  return {
    name: tool.name.slice(0, LONGEST.name),
    title: (tool.title ?? (typeof hinted === "string" ? hinted : "")).slice(0, LONGEST.name),
    server: `${server.id} ${server.name.slice(0, LONGEST.name)}`,
    summary: firstSentence(start),
    description,
    parameters: found.names.join(" ").slice(0, LONGEST.parameters),
    parameterTexts: found.texts.join(" ").slice(0, LONGEST.parameters),
    values: found.values.join(" ").slice(0, LONGEST.parameters),
  };
}

interface Found {
  names: string[];
  texts: string[];
  values: string[];
  schemas: number;
}

function collectParameters(schema: JsonValue | undefined, depth: number, found: Found): void {
  if (!isJsonObject(schema) || depth > MAX_DEPTH || found.schemas >= MAX_SCHEMAS) return;
  found.schemas += 1;
  const description = ownValue(schema, "description");
  // The description of the whole schema, where there is one, says again what the tool says.
  if (depth > 0 && typeof description === "string") found.texts.push(description.slice(0, LONGEST.description));
  const values = [ownValue(schema, "enum") ?? [], ownValue(schema, "const") ?? []].flat().slice(0, MAX_VALUES);
  found.values.push(
    ...values.filter((value) => typeof value === "string").map((value) => value.slice(0, LONGEST.name)),
  );
  const properties = ownValue(schema, "properties");
  for (const [name, child] of isJsonObject(properties) ? Object.entries(properties).slice(0, MAX_SCHEMAS) : []) {
    found.names.push(name.slice(0, LONGEST.name));
    collectParameters(child, depth + 1, found);
  }
  for (const keyword of ["items", "additionalProperties", "anyOf", "oneOf", "allOf"]) {
    const children = [ownValue(schema, keyword) ?? []].flat().slice(0, MAX_VALUES);
    for (const child of children) collectParameters(child, depth + 1, found);
  }
}
