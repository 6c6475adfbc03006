// The picture of docs/performance.md: a small chart for each kind of work whose time is measured, with a bar for each program.
import { printNumber } from "../../bench/suite/print-results.js";
import { PROGRAMS, WORK, compareWork } from "./compared-work.js";

const WIDTH = 960;
const COLUMNS = 2;
const LABEL = 225;
const BAR = 14;
const STEP = 22;
const HEAD = 34;
const GAP = 22;
const MARGIN = 16;

const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328; } .head { font-weight: 600; } .ours { fill: #3451b2; } .theirs { fill: #8c959f; } .ground { fill: #fff; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .ours { fill: #a8b1ff; } .theirs { fill: #6e7681; } .ground { fill: #0d1117; } }`;

/** @returns the picture as SVG; it names each value in its description too */
export function drawComparison(results) {
  const values = compareWork(results);
  const charts = WORK.flatMap((work, index) => (work.unit === "ms" ? [{ ...work, values: values[index] }] : []));
  const height = HEAD + PROGRAMS.length * STEP + GAP;
  const rows = Math.ceil(charts.length / COLUMNS);
  const size = `width="${WIDTH}" height="${MARGIN + rows * height}" viewBox="0 0 ${WIDTH} ${MARGIN + rows * height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title description">`,
    `<title id="title">Time of codemode and of other programs, by kind of work</title>`,
    `<desc id="description">${charts.map(describeChart).join(" ")}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="100%" height="100%" rx="6"/>`,
    ...charts.map((chart, index) => {
      const x = MARGIN + (index % COLUMNS) * (WIDTH / COLUMNS);
      const y = MARGIN + Math.floor(index / COLUMNS) * height;
      return `<g transform="translate(${x} ${y})">\n${drawChart(chart)}\n</g>`;
    }),
    "</svg>\n",
  ].join("\n");
}

function describeChart({ label, values }) {
  const parts = PROGRAMS.map((program, index) => `${toText(program.label)} ${toValue(values[index])}`);
  return `${label}, milliseconds: ${parts.join(", ")}.`;
}

function drawChart({ label, values }) {
  const room = WIDTH / COLUMNS - LABEL - 2 * MARGIN - 60;
  const longest = Math.max(...values.filter((value) => value !== undefined));
  const bars = PROGRAMS.map((program, index) => {
    const y = HEAD + index * STEP;
    const value = values[index];
    const width = value === undefined ? 0 : Math.max(1, Math.round((room * value) / longest));
    const kind = index < 2 ? "ours" : "theirs";
    return [
      `<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${toText(program.label)}</text>`,
      `<rect class="${kind}" x="${LABEL}" y="${y}" width="${width}" height="${BAR}" rx="2"/>`,
      `<text x="${LABEL + width + 6}" y="${y + 12}">${toValue(value)}</text>`,
    ].join("\n");
  });
  return [`<text class="head" x="0" y="16">${label}, ms: less is better</text>`, ...bars].join("\n");
}

function toValue(value) {
  return value === undefined ? "–" : printNumber(value);
}

function toText(label) {
  return label.replaceAll("`", "");
}
