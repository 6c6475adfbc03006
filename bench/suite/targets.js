import { ratioToFloor } from "./floor-ratios.js";

export const LEVELS = ["process", "realm", "compartment"];
export const ENTRIES = ["library", "serve"];
const EXECUTOR = "executor-quickjs";
const UTCP = "utcp-isolated-vm";
const SDK = "sdk-client-no-sandbox";

/**
 * A target that the benchmarks check: at least or at most so much of something, which `measure` takes from the figures of one run.
 * @typedef {(id: string) => number | undefined} Read gives a figure by its id
 * @typedef {{ title: string, sign: "≥" | "≤", bound: number, unit: string, measure: (read: Read) => number | undefined,
 *   cpu?: (read: Read) => number | undefined }} Target `cpu` is the same in processor time
 */

/** Of a level whose work is mostly the start of what a run has for itself, which machines differ in. */
const STARTS = {
  process: { sustained: 45, cpuMs: 40 },
  realm: { sustained: 200, cpuMs: 9.5 },
};

/** @type {Target[]} */
const TARGETS = [
  ...listFloors(),
  ...["process", "realm"].flatMap((level) => eachEntry(level, listStarts)),
  ...eachEntry("compartment", listThroughput),
  ...["process", "realm"].flatMap((level) => eachEntry(level, listRuns)),
  ...listCompartmentRuns(),
  ratio("cold `run`, warm disk cache, against the SDK client", 0.8, "start.cold", "codemode-run", SDK),
  ...LEVELS.map((level) =>
    ratio(
      `${level}: 20 MB into the answer against parse and stringify`,
      1.8,
      "payload.20mb",
      `codemode-library-${level}-through-it-into-the-answer`,
      "json-parse-json-stringify",
    ),
  ),
  ...listOwn(),
  value("generate 3,600 tools, nothing changed", 0.5, " s", "generation.again.nothing-changed", 1000),
  value("generate 3,600 tools, one changed", 1, " s", "generation.again.one-tool-changed", 1000),
  {
    ...most("host after 50 clients, resident", 120, " MB"),
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

/** At one level of isolation, through the library and through `serve`. */
function eachEntry(level, list) {
  return ENTRIES.flatMap((entry) => list({ level, name: `${level}, ${entry}`, slug: `codemode-${entry}-${level}` }));
}

/** What a level costs beyond its floor. `serve` has a process more than the floor, which a further call does not pass. */
function listFloors() {
  const toFloor = (title, bound, shape, of) => ({
    ...most(`${of.level}, ${of.entry}: ${title}, against the floor`, bound, " ×"),
    measure: (read) => ratioToFloor(read, shape, of, "ms"),
    cpu: (read) => ratioToFloor(read, shape, of, "cpuMs"),
  });
  return [
    ...ENTRIES.map((entry) => toFloor("each further call, hot", 1.3, "hot.further", { level: "compartment", entry })),
    toFloor("run with one call, after pauses", 2.5, "warm.seen", { level: "compartment", entry: "library" }),
  ];
}

function listStarts({ level, name, slug }) {
  const { sustained, cpuMs } = STARTS[level];
  return [
    {
      ...least(`${name}: runs a second with one call`, sustained, ""),
      measure: (read) => read(`throughput.call.${slug}.perSecond`),
    },
    listCpu(name, slug, cpuMs),
  ];
}

function listThroughput({ name, slug }) {
  const bound = name.includes("serve") ? 1 : 1.3;
  const of = (read, id) => read(`throughput.call.${id}.perSecond`);
  return [
    {
      ...least(`${name}: runs a second with one call against Executor`, bound, " ×"),
      measure: (read) => divide(of(read, slug), of(read, EXECUTOR)),
    },
    {
      ...least(`${name}: runs a second in a burst of 100`, 600, ""),
      measure: (read) => read(`throughput.burst.${slug}.perSecond`),
    },
    listCpu(name, slug, 2),
  ];
}

function listCpu(name, slug, bound) {
  return {
    ...most(`${name}: CPU of a run with one call`, bound, " ms"),
    measure: (read) => read(`throughput.call.${slug}.cpuMs`),
  };
}

function listRuns({ name, slug }) {
  return [
    ratio(`${name}: seen script against Executor`, 1, "warm.seen", slug, EXECUTOR),
    ratio(`${name}: new script against UTCP`, 1.5, "warm.new", slug, UTCP),
  ];
}

function listCompartmentRuns() {
  const [library, serve] = ENTRIES.map((entry) => `codemode-${entry}-compartment`);
  const difference = (key) => (read) =>
    subtract(read(`warm.seen.${serve}.${key}`), read(`warm.seen.${library}.${key}`));
  return [
    ratio("compartment, library: seen script against Executor", 0.5, "warm.seen", library, EXECUTOR),
    {
      ...most("compartment: seen script, `serve` minus library", 1, " ms"),
      ...{ measure: difference("ms"), cpu: difference("cpuMs") },
    },
    ratio("compartment, library: new script against Executor", 1.1, "warm.new", library, EXECUTOR),
    ratio("compartment, serve: new script against UTCP", 1.3, "warm.new", serve, UTCP),
    ratio("compartment, library: 100 calls at once against Executor", 1, "warm.once100", library, EXECUTOR),
    ratio("compartment, serve: 100 calls at once against Executor", 1, "warm.once100", serve, EXECUTOR),
  ];
}

/** With functions of the program in place of servers. */
function listOwn() {
  const own = "codemode-compartment";
  const cold = (key) => (read) =>
    subtract(read(`own.cold.codemode-process.${key}`), read(`own.cold.an-empty-node-program.${key}`));
  const perCall = (key) => (read) => {
    const further = subtract(read(`own.turn100.${own}.${key}`), read(`own.one.${own}.${key}`));
    return divide(further, 99 / 1000);
  };
  return [
    {
      ...most("own functions: import, `codeMode` and the first result", 200, " ms"),
      ...{ measure: cold("ms"), cpu: cold("cpuMs") },
    },
    ratio("own functions: a run with one call against Executor", 1.2, "own.one", own, "executor-own-functions"),
    ratio("own functions: a run with one call against UTCP", 0.6, "own.one", own, "utcp-own-protocol"),
    { ...most("own functions: each further call", 100, " µs"), ...{ measure: perCall("ms"), cpu: perCall("cpuMs") } },
    ratio("own functions: 100 calls against Executor", 1.1, "own.turn100", own, "executor-own-functions"),
    {
      ...most("own functions: memory of the processes beside the program", 60, " MB"),
      measure: (read) => read(`own.rest.${own}.beside`),
    },
  ];
}

function most(title, bound, unit) {
  return { title, sign: "≤", bound, unit };
}

function least(title, bound, unit) {
  return { title, sign: "≥", bound, unit };
}

/** A figure against another program's in the same table. */
function ratio(title, bound, table, slug, peer) {
  const of = (key) => (read) => divide(read(`${table}.${slug}.${key}`), read(`${table}.${peer}.${key}`));
  return { ...most(title, bound, " ×"), measure: of("ms"), cpu: of("cpuMs") };
}

/** A time in another unit, `scale` milliseconds each. */
function value(title, bound, unit, id, scale) {
  const of = (key) => (read) => divide(read(`${id}.${key}`), scale);
  return { ...most(title, bound, unit), measure: of("ms"), cpu: of("cpuMs") };
}

function divide(one, other) {
  return one === undefined || other === undefined ? undefined : one / other;
}

function subtract(one, other) {
  return one === undefined || other === undefined ? undefined : one - other;
}
