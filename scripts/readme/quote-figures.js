const QUOTE = /<!-- bench: (\S+) -->[^<]*<!-- \/bench -->/g;

/**
 * Renews the figures that a text quotes: what stands between `<!-- bench: ID -->` and `<!-- /bench -->`, with two digits.
 * @param figures a map of id to `{ value }`: those of one run of the benchmarks
 */
export function quoteFigures(text, figures) {
  return text.replaceAll(QUOTE, (_, id) => {
    const figure = figures.get(id);
    if (figure === undefined) throw new Error(`The figure "${id}" is quoted, and bench/results.json does not have it.`);
    return `<!-- bench: ${id} -->${printQuote(figure.value)}<!-- /bench -->`;
  });
}

function printQuote(value) {
  return Number(value.toPrecision(2)).toLocaleString("en");
}
