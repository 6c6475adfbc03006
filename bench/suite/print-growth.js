import { decadesAround, escapeText, makeScale, printFigure } from "./svg.js";

const COLUMNS = 3;
const [WIDTH, HEIGHT] = [300, 200];
/** Around the plot of a panel. */
const MARGIN = { left: 52, right: 14, top: 30, bottom: 40 };
const HEAD = 46;

const STYLE = `
  .linear { stroke: var(--faint); stroke-dasharray: 4 3; }
  .cost { fill: none; stroke: var(--line); stroke-width: 1.75; }
  .point { fill: var(--line); }`;

/** Small multiples as SVG: cost against size, both logarithmic, with a dashed line for what would be linear. */
export function printGrowth(series) {
  const rows = Math.ceil(series.length / COLUMNS);
  const [width, height] = [COLUMNS * WIDTH, HEAD + rows * HEIGHT];
  const panels = series.map((one, index) =>
    printPanel(one, (index % COLUMNS) * WIDTH, HEAD + Math.floor(index / COLUMNS) * HEIGHT),
  );
  return printFigure({ width, height, title: "Cost against size", description: describe(series), style: STYLE }, [
    `<text x="16" y="38">Median time of each size; both axes are logarithmic. Dashed: what grows in proportion, back from the largest size.</text>`,
    ...panels,
  ]);
}

function describe(series) {
  const words = series.map(({ label, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return `${label}: ${printTime(first.ms)} for ${printSize(first.size)}, ${printTime(last.ms)} for ${printSize(last.size)}`;
  });
  return `${series.length} small charts of median time against size. ${words.join("; ")}.`;
}

function printPanel({ label, points }, left, top) {
  const plot = {
    left: left + MARGIN.left,
    right: left + WIDTH - MARGIN.right,
    top: top + MARGIN.top,
    bottom: top + HEIGHT - MARGIN.bottom,
  };
  const sizes = decadesAround(points.map(({ size }) => size));
  const costs = decadesAround(points.map(({ ms }) => ms));
  const x = makeScale(sizes, plot.left, plot.right);
  const y = makeScale(costs, plot.bottom, plot.top);
  const [subject, work = "running a script"] = label.split(/ \((.*)\)$/);
  const place = ({ size, ms }) => `${x(size).toFixed(1)},${y(ms).toFixed(1)}`;
  return [
    `<text class="label" x="${plot.left}" y="${top + 18}">${escapeText(work)}</text>`,
    ...sizes.map((size) => printMark(size, x(size), plot)),
    ...costs.map((ms) => printCostMark(ms, y(ms), plot)),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 30}" text-anchor="middle">${escapeText(subject)}</text>`,
    printLinear(points, costs[0], x, y),
    `<polyline class="cost" points="${points.map(place).join(" ")}"/>`,
    ...points.map((point) => {
      const [cx, cy] = place(point).split(",");
      return `<circle class="point" cx="${cx}" cy="${cy}" r="2.75"><title>${printSize(point.size)}: ${printTime(point.ms)}</title></circle>`;
    }),
  ].join("\n");
}

/** The line of what is in proportion to the size, through the last point, down to the bottom of the plot. */
function printLinear(points, lowestMs, x, y) {
  const last = points.at(-1);
  const from = Math.max(points[0].size, (last.size * lowestMs) / last.ms);
  const fromMs = (last.ms * from) / last.size;
  return `<line class="linear" x1="${x(from).toFixed(1)}" y1="${y(fromMs).toFixed(1)}" x2="${x(last.size).toFixed(1)}" y2="${y(last.ms).toFixed(1)}"/>`;
}

function printMark(size, x, { top, bottom }) {
  return `<line class="grid" x1="${x.toFixed(1)}" y1="${top}" x2="${x.toFixed(1)}" y2="${bottom}"/><text x="${x.toFixed(1)}" y="${bottom + 14}" text-anchor="middle">${printSize(size)}</text>`;
}

function printCostMark(ms, y, { left, right }) {
  return `<line class="grid" x1="${left}" y1="${y.toFixed(1)}" x2="${right}" y2="${y.toFixed(1)}"/><text x="${left - 6}" y="${(y + 3).toFixed(1)}" text-anchor="end">${printTime(ms)}</text>`;
}

function printSize(size) {
  const units = ["", "k", "M"];
  const unit = size >= 1e6 ? 2 : size >= 1e3 ? 1 : 0;
  return `${Number((size / 1000 ** unit).toPrecision(3))}${units[unit]}`;
}

function printTime(ms) {
  if (ms >= 1000) return `${Number((ms / 1000).toPrecision(2))} s`;
  return ms < 1 ? `${Number((ms * 1000).toPrecision(2))} µs` : `${Number(ms.toPrecision(2))} ms`;
}
