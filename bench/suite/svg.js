/** Those who read in the dark get a dark figure, as the page around it. */
const STYLE = `
  svg { --paper: #ffffff; --ink: #1f2328; --faint: #656d76; --grid: #d8dee4; --line: #0969da; --second: #9a6700; --third: #8250df; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --ink: #e6edf3; --faint: #9198a1; --grid: #30363d; --line: #58a6ff; --second: #d29922; --third: #bc8cff; }
  }
  text { font: 10px system-ui, sans-serif; fill: var(--faint); }
  .title { font-size: 14px; font-weight: 600; fill: var(--ink); }
  .label { font-size: 11px; font-weight: 600; fill: var(--ink); }
  .paper { fill: var(--paper); }
  .grid { stroke: var(--grid); }`;

/** A whole figure of a width and height, with its title and description in words for those who do not see it. */
export function printFigure({ width, height, title, description, style = "" }, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<desc id="description">${escapeText(description)}</desc>`,
    `<style>${STYLE}${style}\n</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="title" x="16" y="22">${escapeText(title)}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** The powers of ten from the one below the smallest value to the one above the largest. */
export function decadesAround(values) {
  const [low, high] = [Math.floor(logOf(Math.min(...values))), Math.ceil(logOf(Math.max(...values)))];
  return Array.from({ length: Math.max(high - low, 1) + 1 }, (_, index) => 10 ** (low + index));
}

/** Places a value between two ends, by its logarithm. */
export function makeScale(decades, from, to) {
  const [low, high] = [Math.log10(decades[0]), Math.log10(decades.at(-1))];
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

export function escapeText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** An exact power of ten, regardless of the last digit of its logarithm. */
function logOf(value) {
  return Number(Math.log10(value).toFixed(9));
}
