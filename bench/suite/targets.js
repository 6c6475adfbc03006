import { findSlope } from "./slope.js";

const LEVELS = ["process", "realm", "compartment"];
const ENTRIES = ["library", "serve"];
const SDK = "sdk-client-no-sandbox";

/** Runs a second with one call, and processor time for each of them in milliseconds. */
const RUNS = {
  process: { sustained: 45, cpuMs: 40 },
  realm: { sustained: 180, cpuMs: 10 },
  compartment: { sustained: 1000, burst: 600, cpuMs: 2 },
};

/**
 * A target that the benchmarks check: at least or at most so much of something, which `measure` takes from the figures of one run.
 * @typedef {(id: string) => number | undefined} Read gives a figure by its id
 * @typedef {{ title: string, sign: "≥" | "≤", bound: number, unit: string, measure: (read: Read) => number | undefined,
 *   cpu?: (read: Read) => number | undefined }} Target `cpu` is the same in processor time
 */

/** @type {Target[]} */
const TARGETS = [
  ...eachCodemode(listThroughput),
  ...eachCodemode(listSeen),
  ...eachCodemode(({ name, slug }) => [
    ratio(`${name}: new script against UTCP`, 1.5, `warm.new.${slug}`, "warm.new.utcp-isolated-vm"),
  ]),
  ...eachCodemode(({ name, slug }) => [
    {
      ...most(`${name}: each further call in turn against the SDK client`, 1.25, " ×"),
      measure: (read) => divide(readSlope(read, slug, "ms"), readSlope(read, SDK, "ms")),
      cpu: (read) => divide(readSlope(read, slug, "cpuMs"), readSlope(read, SDK, "cpuMs")),
    },
    ratio(`${name}: 100 calls at once against the SDK client`, 1.5, `warm.once100.${slug}`, `warm.once100.${SDK}`),
  ]),
  ratio("cold `run`, warm disk cache, against the SDK client", 0.85, "start.cold.codemode-run", `start.cold.${SDK}`),
  ...LEVELS.map((level) =>
    ratio(
      `${level}: 20 MB into the answer against parse and stringify`,
      2,
      `payload.20mb.codemode-library-${level}-through-it-into-the-answer`,
      "payload.20mb.json-parse-json-stringify",
    ),
  ),
  value("generate 3,600 tools, nothing changed", 0.5, " s", "generation.again.nothing-changed", 1000),
  value("generate 3,600 tools, one changed", 1, " s", "generation.again.one-tool-changed", 1000),
  {
    ...most("host after 50 clients, resident", 100, " MB"),
    measure: (read) => read("clients.memory.codemode-serve-50-clients.residentAfter"),
  },
  ...LEVELS.map((level) => ({
    ...most(`${level}: a waiting sandbox, proportional memory`, 10, " MB"),
    measure: (read) => read(`memory.rest.codemode-library-${level}-a-waiting-sandbox.pss`),
  })),
];

/**
 * Compares the figures of a run with the targets.
 * @param figures a map of id to `{ value }`
 * @returns for each target its bound, what was measured, and whether it is met; `isMet` is undefined where a figure is missing
 */
export function evaluateTargets(figures) {
  const read = (id) => figures.get(id)?.value;
  return TARGETS.map(({ title, sign, bound, unit, measure, cpu }) => {
    const measured = measure(read);
    const isMet = measured === undefined ? undefined : sign === "≥" ? measured >= bound : measured <= bound;
    return { title, sign, bound, unit, measured, cpu: cpu?.(read), isMet };
  });
}

/** For each level of isolation, through the library and through `serve`. */
function eachCodemode(list) {
  return LEVELS.flatMap((level) =>
    ENTRIES.flatMap((entry) => list({ level, name: `${level}, ${entry}`, slug: `codemode-${entry}-${level}` })),
  );
}

function listThroughput({ level, name, slug }) {
  const { sustained, burst, cpuMs } = RUNS[level];
  const least = (title, bound, id) => ({
    ...{ title, sign: "≥", bound, unit: "" },
    measure: (read) => read(`${id}.${slug}.perSecond`),
  });
  return [
    least(`${name}: runs a second with one call`, sustained, "throughput.call"),
    ...(burst === undefined ? [] : [least(`${name}: the same in a burst of 100`, burst, "throughput.burst")]),
    {
      ...most(`${name}: CPU of a run with one call`, cpuMs, " ms"),
      measure: (read) => read(`throughput.call.${slug}.cpuMs`),
    },
  ];
}

function listSeen({ level, name, slug }) {
  const against = (peer, bound, peerSlug) =>
    ratio(`${name}: seen script against ${peer}`, bound, `warm.seen.${slug}`, `warm.seen.${peerSlug}`);
  return [
    against("Executor", 1, "executor-quickjs"),
    ...(level === "compartment" ? [against("mcp-use", 1.5, "mcp-use-node-vm")] : []),
  ];
}

function most(title, bound, unit) {
  return { title, sign: "≤", bound, unit };
}

function ratio(title, bound, id, otherId) {
  const of = (key) => (read) => divide(read(`${id}.${key}`), read(`${otherId}.${key}`));
  return { ...most(title, bound, " ×"), measure: of("ms"), cpu: of("cpuMs") };
}

/** A time in another unit, `scale` milliseconds each. */
function value(title, bound, unit, id, scale) {
  const of = (key) => (read) => divide(read(`${id}.${key}`), scale);
  return { ...most(title, bound, unit), measure: of("ms"), cpu: of("cpuMs") };
}

function readSlope(read, slug, key) {
  const tables = [
    [1, "warm.seen"],
    [10, "warm.turn10"],
    [100, "warm.turn100"],
  ];
  return findSlope(tables.map(([calls, id]) => [calls, read(`${id}.${slug}.${key}`)]));
}

function divide(one, other) {
  return one === undefined || other === undefined ? undefined : one / other;
}
