import { readFile, writeFile } from "node:fs/promises";
import { addEntries, formatHistory, parseHistory, toEntries } from "./history.js";
import { printHistory } from "./print-history.js";
import { printResults } from "./print-results.js";

const inBench = (path) => new URL(`../${path}`, import.meta.url);

/** What a run measured, for programs and for readers. */
export async function writeResults(results) {
  await writeFile(inBench("results.json"), `${JSON.stringify(results, undefined, 1)}\n`);
  await writeFile(inBench("RESULTS.md"), printResults(results));
}

/** Adds a run to the history, and draws it. */
export async function recordResults(results) {
  const text = await readFile(inBench("history.jsonl"), "utf8").catch(() => "");
  const history = addEntries(parseHistory(text), toEntries(results));
  await writeFile(inBench("history.jsonl"), formatHistory(history));
  await writeFile(inBench("history.svg"), printHistory(history));
}
