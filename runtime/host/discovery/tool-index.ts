import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf, subjectOfName } from "../../../schemas/lock/operations.ts";
import { perLockfile } from "../../../schemas/lock/per-lockfile.ts";
import { spreadServers } from "./spread-servers.ts";
import { synonymsOf } from "./synonyms.ts";
import { type ToolTexts, toToolTexts } from "./tool-texts.ts";
import { makeWordIndex, type WordIndex } from "./word-index.ts";
import { makeStemmer, splitWords } from "./words.ts";

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
export const toolIndexOf = perLockfile(makeToolIndex);

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
    { boosts: BOOSTS, toWords: toStems },
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
