import { isMeasured, listFigures } from "../../bench/suite/tables.js";

const QUOTE = /<!-- bench: (\S+) -->([^<]*)<!-- \/bench -->/g;

/**
 * Renews the figures that a text quotes: what stands between `<!-- bench: ID -->` and `<!-- /bench -->`, with two digits. A figure stays as it
 * is where its program, or the whole table, could not be measured in this run.
 * @param results those of one run of the benchmarks
 */
export function quoteFigures(text, results) {
  const figures = listFigures(results);
  return text.replaceAll(QUOTE, (quote, id) => {
    const figure = figures.get(id);
    if (figure !== undefined) return `<!-- bench: ${id} -->${printQuote(figure.value)}<!-- /bench -->`;
    if (isMeasured(results, id))
      throw new Error(`The figure "${id}" is quoted, and bench/results.json has none of this name.`);
    return quote;
  });
}

function printQuote(value) {
  return Number(value.toPrecision(2)).toLocaleString("en");
}
