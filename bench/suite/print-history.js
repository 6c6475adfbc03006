import { decadesAround, escapeText, makeScale, printFigure } from "./svg.js";

const COLUMNS = 3;
const [WIDTH, HEIGHT] = [300, 200];
/** Around the plot of a panel. */
const MARGIN = { left: 52, right: 14, top: 34, bottom: 40 };
const HEAD = 62;

const STYLE = `
  .process, .realm, .compartment, .other { fill: none; stroke-width: 1.75; }
  .process { stroke: var(--line); }
  .realm { stroke: var(--second); stroke-dasharray: 6 2; }
  .compartment { stroke: var(--third); stroke-dasharray: 2 2; }
  .other { stroke: var(--faint); stroke-dasharray: 4 3; }
  circle.process { fill: var(--line); }
  circle.realm { fill: var(--second); }
  circle.compartment { fill: var(--third); }
  circle.other { fill: var(--paper); }
  circle[class] { stroke-dasharray: none; }`;

const LEVELS = ["process", "realm", "compartment"];
/** The library at each level under one table and column. */
const ofLevels = (table, key, suffix = "") =>
  LEVELS.map((level) => [level, `${table}.codemode-library-${level}${suffix}.${key}`]);

/** What is drawn: for each panel the class of a line, and the id of its figure. The line "other" is a peer's. */
const PANELS = [
  panel("Runs a second, one call", "Executor", [
    ...ofLevels("throughput.call", "perSecond"),
    ["other", "throughput.call.executor-quickjs.perSecond"],
  ]),
  panel("Runs a second, burst of 100", "Executor", [
    ...ofLevels("throughput.burst", "perSecond"),
    ["other", "throughput.burst.executor-quickjs.perSecond"],
  ]),
  panel("CPU ms of a run, one call", "Executor", [
    ...ofLevels("throughput.call", "cpuMs"),
    ["other", "throughput.call.executor-quickjs.cpuMs"],
  ]),
  panel("Seen script, ms", "Executor", [...ofLevels("warm.seen", "ms"), ["other", "warm.seen.executor-quickjs.ms"]]),
  panel("New script, ms", "UTCP", [...ofLevels("warm.new", "ms"), ["other", "warm.new.utcp-isolated-vm.ms"]]),
  panel("100 calls in turn, ms", "SDK client", [
    ...ofLevels("warm.turn100", "ms"),
    ["other", "warm.turn100.sdk-client-no-sandbox.ms"],
  ]),
  panel("100 calls at once, ms", "SDK client", [
    ...ofLevels("warm.once100", "ms"),
    ["other", "warm.once100.sdk-client-no-sandbox.ms"],
  ]),
  panel("Cold run, ms", "SDK client", [
    ["process", "start.cold.codemode-run.ms"],
    ["other", "start.cold.sdk-client-no-sandbox.ms"],
  ]),
  panel("20 MB into the answer, ms", "parse and stringify", [
    ...ofLevels("payload.20mb", "ms", "-through-it-into-the-answer"),
    ["other", "payload.20mb.json-parse-json-stringify.ms"],
  ]),
  panel("Generate, nothing changed, ms", undefined, [["process", "generation.again.nothing-changed.ms"]]),
  panel("A waiting sandbox, MB", undefined, ofLevels("memory.rest", "pss", "-a-waiting-sandbox")),
  panel("Host after 50 clients, MB", undefined, [
    ["process", "clients.memory.codemode-serve-50-clients.residentAfter"],
  ]),
];

/**
 * Small multiples as SVG: figures against commits, in the order in which they were measured. Those of other machines than the last one are
 * left out, because they cannot be compared.
 */
export function printHistory(entries) {
  const machine = entries.at(-1)?.machine ?? "no machine";
  const own = entries.filter((entry) => entry.machine === machine);
  const commits = [...new Set(own.map(({ commit }) => commit))];
  const values = new Map(own.map(({ commit, id, value }) => [`${commit} ${id}`, value]));
  const panels = PANELS.map(({ lines, ...rest }) => ({
    ...rest,
    lines: lines.map(([kind, id]) => toLine(kind, id, commits, values)),
  }));
  const height = HEAD + Math.ceil(panels.length / COLUMNS) * HEIGHT;
  const title = "Benchmarks at each commit";
  return printFigure(
    { width: COLUMNS * WIDTH, height, title, description: describe(panels, commits, machine), style: STYLE },
    [
      `<text x="16" y="38">${escapeText(machine)}. The vertical axis is logarithmic; below are the commits, in the order of their measurement.</text>`,
      ...printLegend(),
      ...panels.map((one, index) =>
        printPanel(one, commits, (index % COLUMNS) * WIDTH, HEAD + Math.floor(index / COLUMNS) * HEIGHT),
      ),
    ],
  );
}

function panel(label, peer, lines) {
  return { label, peer, lines };
}

/** The points of a line: the number of the commit, and the value there. */
function toLine(kind, id, commits, values) {
  const points = commits.flatMap((commit, index) => {
    const value = values.get(`${commit} ${id}`);
    return value === undefined || value <= 0 ? [] : [{ index, commit, value }];
  });
  return { kind, points };
}

function describe(panels, commits, machine) {
  const words = panels.flatMap(({ label, peer, lines }) =>
    lines.flatMap(({ kind, points }) => {
      const last = points.at(-1);
      const name = kind === "other" ? peer : kind;
      return last === undefined ? [] : [`${label}, ${name}: ${last.value} at ${last.commit}`];
    }),
  );
  return `${panels.length} small charts of figures at ${commits.length} commits, measured on ${machine}. ${words.join("; ")}.`;
}

function printLegend() {
  return [...LEVELS, "other"].map((kind, index) => {
    const x = 16 + index * 110;
    const name = kind === "other" ? "another program, named in the chart" : kind;
    return `<line class="${kind}" x1="${x}" y1="52" x2="${x + 22}" y2="52"/><text x="${x + 28}" y="55">${name}</text>`;
  });
}

function printPanel({ label, peer, lines }, commits, left, top) {
  const plot = {
    left: left + MARGIN.left,
    right: left + WIDTH - MARGIN.right,
    top: top + MARGIN.top,
    bottom: top + HEIGHT - MARGIN.bottom,
  };
  const all = lines.flatMap(({ points }) => points.map(({ value }) => value));
  const title = [
    `<text class="label" x="${plot.left}" y="${top + 14}">${escapeText(label)}</text>`,
    ...(peer === undefined ? [] : [`<text x="${plot.left}" y="${top + 26}">against ${escapeText(peer)}</text>`]),
  ];
  if (all.length === 0) return [...title, `<text x="${plot.left}" y="${top + 50}">not measured yet</text>`].join("\n");
  const decades = decadesAround(all);
  const y = makeScale(decades, plot.bottom, plot.top);
  const step = (plot.right - plot.left) / commits.length;
  const x = (index) => plot.left + (index + 0.5) * step;
  return [
    ...title,
    ...decades.map((value) => printValueMark(value, y(value), plot)),
    ...listMarked(commits).map((index) => printCommitMark(commits[index], x(index), plot)),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 30}" text-anchor="middle">commit</text>`,
    ...lines.flatMap((line) => printLine(line, x, y)),
  ].join("\n");
}

/** Those commits that have a label: the last one, and some before it that leave room. */
function listMarked(commits) {
  const every = Math.ceil(commits.length / 4);
  return commits.map((_, index) => index).filter((index) => (commits.length - 1 - index) % every === 0);
}

function printLine({ kind, points }, x, y) {
  const place = ({ index, value }) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`;
  const dots = points.map((point) => {
    const [cx, cy] = place(point).split(",");
    return `<circle class="${kind}" cx="${cx}" cy="${cy}" r="2.75"><title>${point.commit}: ${point.value}</title></circle>`;
  });
  const path = points.length < 2 ? [] : [`<polyline class="${kind}" points="${points.map(place).join(" ")}"/>`];
  return [...path, ...dots];
}

function printValueMark(value, y, { left, right }) {
  return `<line class="grid" x1="${left}" y1="${y.toFixed(1)}" x2="${right}" y2="${y.toFixed(1)}"/><text x="${left - 6}" y="${(y + 3).toFixed(1)}" text-anchor="end">${value.toLocaleString("en", { maximumFractionDigits: 6 })}</text>`;
}

function printCommitMark(commit, x, { bottom }) {
  return `<text x="${x.toFixed(1)}" y="${bottom + 14}" text-anchor="middle">${escapeText(commit)}</text>`;
}
