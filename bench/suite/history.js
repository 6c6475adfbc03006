import { listFigures } from "./tables.js";

/**
 * One line of bench/history.jsonl: a figure at a commit.
 * @typedef {{ date: string, commit: string, machine: string, id: string, value: number, unit: string, low?: number, high?: number }} Entry
 */

/** @returns {Entry[]} the figures of one run of the benchmarks; quartiles where there are some */
export function toEntries(results) {
  const { date, commit, machine } = results;
  return [...listFigures(results)].map(([id, { value, unit, low, high }]) => ({
    ...{ date, commit, machine, id, value: round(value), unit },
    ...(low === undefined ? {} : { low: round(low), high: round(high) }),
  }));
}

/** @returns {Entry[]} */
export function parseHistory(text) {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** The history with these entries at its end. Earlier ones of the same commit go: a commit has one line for each figure. */
export function addEntries(history, entries) {
  const isReplaced = ({ commit }) => entries.some((entry) => entry.commit === commit);
  return [...history.filter((entry) => !isReplaced(entry)), ...entries];
}

export function formatHistory(entries) {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Four digits are more than a measurement is good for. */
function round(value) {
  return Number(value.toPrecision(4));
}
