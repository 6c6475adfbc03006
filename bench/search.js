// Asks the search index natural questions over recorded real servers and says how often the right tool comes first:
// `node bench/search.js FOLDER [--misses]`, after a build. The folder holds one JSON file per server with its `serverInfo` and
// `tools`; the questions are in bench/search/questions.json, each as a person asks it and as an agent searches for the tool that it imagines. Those at
// even places are for tuning, the others are held out. Prints Markdown.
import { readFile } from "node:fs/promises";
import MiniSearch from "minisearch";
import { toolIndexOf } from "../dist/runtime/host/discovery/tool-index.js";
import { lockRecordings } from "./lock-recordings.js";

/** How a question is asked: in prose by a person, or by verb and noun, as the description of the run tool tells agents to. */
const FORMS = ["question", "agent"];

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
if (folder === undefined) throw new Error("Name the folder of recordings.");

const questions = JSON.parse(await readFile(new URL("search/questions.json", import.meta.url), "utf8"));
const lockfile = await lockRecordings(folder);
const tools = [...lockfile.servers.values()].flatMap((server) =>
  server.tools.map((tool) => ({ id: `${server.id}/${tool.name}`, server: server.id, ...tool })),
);
checkQuestions();

const ours = toolIndexOf({ ...lockfile });
const searchOurs = (question) =>
  ours.search(question, { limit: 50 }).map(({ serverId, toolName }) => `${serverId}/${toolName}`);
const engines = [
  { name: "substring", search: makeSubstringSearch() },
  { name: "BM25, unweighted", search: makePlainSearch() },
  { name: "codemode", search: searchOurs },
];
const halves = [
  { name: "tuned on", asked: questions.filter((_, index) => index % 2 === 0) },
  { name: "held out", asked: questions.filter((_, index) => index % 2 === 1) },
];

console.log(`${lockfile.servers.size} servers, ${tools.length} tools, ${questions.length} questions\n`);
console.log("| questions | search | prose: at 1 | in 5 | MRR | verb and noun: at 1 | in 5 | MRR |");
console.log("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const half of halves) {
  for (const { name, search } of engines) {
    const rates = FORMS.flatMap((form) => {
      const { first, five, reciprocal } = rate(search, half.asked, form);
      return [percent(first), percent(five), reciprocal.toFixed(3)];
    });
    console.log(`| ${half.asked.length} ${half.name} | ${name} | ${rates.join(" | ")} |`);
  }
}
// Of the half that was tuned on only: who reads the misses of the other one tunes on it.
if (process.argv.includes("--misses")) printMisses(halves[0].asked);
await measureTimes();

function rate(search, asked, form) {
  const ranks = asked.map(({ [form]: text, tools: right }) => search(text).findIndex((id) => right.includes(id)) + 1);
  const share = (isHit) => ranks.filter(isHit).length / ranks.length;
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
  return { first: share((rank) => rank === 1), five: share((rank) => rank > 0 && rank <= 5), reciprocal };
}

/** How many words of the question are somewhere in name and description; ties by name. */
function makeSubstringSearch() {
  const texts = tools.map(({ id, description = "" }) => [id, `${id} ${description}`.toLowerCase()]);
  return (question) => {
    const words = question
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
    return texts
      .map(([id, text]) => [id, words.filter((word) => text.includes(word)).length])
      .filter(([, count]) => count > 0)
      .toSorted(([leftId, left], [rightId, right]) => right - left || (leftId < rightId ? -1 : 1))
      .slice(0, 50)
      .map(([id]) => id);
  };
}

/** The library as it comes. */
function makePlainSearch() {
  const index = new MiniSearch({ fields: ["name", "title", "description", "server"] });
  index.addAll(tools);
  return (question) =>
    index
      .search(question)
      .slice(0, 50)
      .map(({ id }) => id);
}

function printMisses(asked) {
  for (const form of FORMS) {
    for (const { [form]: text, tools: right } of asked) {
      const found = searchOurs(text);
      if (!right.includes(found[0])) console.log(`- ${text}: ${right[0]}; found ${found.slice(0, 3).join(", ")}`);
    }
  }
}

async function measureTimes() {
  console.log("\n| tools | build | query, median | query, 99 of 100 | longest |\n| ---: | ---: | ---: | ---: | ---: |");
  for (const copies of [1, 2]) {
    const locked = await lockRecordings(folder, copies);
    const builds = Array.from({ length: 5 }, () => timed(() => toolIndexOf({ ...locked })));
    // An index of its own for each round, so that no word's matches are kept. Of the rounds each question's best time counts:
    // other load of the machine only adds to it.
    const rounds = Array.from({ length: 7 }, () => {
      const index = toolIndexOf({ ...locked });
      return questions.map(({ question }) => timed(() => index.search(question, { limit: 10 })));
    });
    const queries = questions
      .map((_, index) => Math.min(...rounds.map((round) => round[index])))
      .toSorted((left, right) => left - right);
    const count = [...locked.servers.values()].flatMap((server) => server.tools).length;
    const cells = [Math.min(...builds), at(queries, 0.5), at(queries, 0.99), queries.at(-1)];
    console.log(`| ${count} | ${cells.map((ms) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`).join(" | ")} |`);
  }
  const words = questions.flatMap(({ question }) => question.split(" "));
  for (const [name, query] of [
    ["a query of 100 words", words.slice(0, 100).join(" ")],
    ["a query of 1 MB", "browser_click ".repeat(75_000)],
  ]) {
    const index = toolIndexOf({ ...lockfile });
    console.log(`\n${name}: ${timed(() => index.search(query, { limit: 10 })).toFixed(2)} ms at first`);
  }
}

function at(sorted, share) {
  return sorted[Math.floor(sorted.length * share)];
}

function timed(work) {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function checkQuestions() {
  const known = new Set(tools.map(({ id }) => id));
  const unasked = questions.filter((question) => FORMS.some((form) => typeof question[form] !== "string"));
  if (unasked.length > 0) throw new Error(`Not asked in both forms: ${JSON.stringify(unasked)}`);
  const unknown = questions.flatMap(({ tools: right }) => right.filter((id) => !known.has(id)));
  if (unknown.length > 0) throw new Error(`No such tools: ${unknown.join(", ")}`);
}
