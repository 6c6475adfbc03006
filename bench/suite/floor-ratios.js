import { findSlope } from "./slope.js";

/**
 * A shape of work that each level has a floor for.
 * @typedef {(id: string) => number | undefined} Read gives a figure by its id
 * @typedef {{ id: string, title: string, entries?: string[], measure: (read: Read, slug: string, key: "ms" | "cpuMs") => number | undefined }} Shape
 */

/** @type {Shape[]} */
export const SHAPES = [
  ...["warm", "hot"].flatMap((pace) => listPaced(pace, pace === "warm" ? "after pauses" : "hot")),
  { id: "throughput.empty", title: "run without a call, four at a time", measure: readThroughput("throughput.empty") },
  { id: "throughput.call", title: "run with one call, four at a time", measure: readThroughput("throughput.call") },
  {
    id: "payload.20mb",
    title: "20 MB into the answer",
    entries: ["library"],
    measure: (read, slug, key) => read(`payload.20mb.${slug}-through-it-into-the-answer.${key}`),
  },
];

/**
 * What a shape costs through one entry of codemode, as a multiple of the floor of the same level.
 * @param {Read} read
 * @param {string} id of the shape
 * @param {{ level: string, entry: string }} of
 * @param {"ms" | "cpuMs"} key time, or processor time
 */
export function ratioToFloor(read, id, { level, entry }, key) {
  const { measure } = SHAPES.find((shape) => shape.id === id);
  const own = measure(read, `codemode-${entry}-${level}`, key);
  const floor = measure(read, `floor-${level}`, key);
  return own === undefined || floor === undefined ? undefined : own / floor;
}

/** @returns {Shape[]} */
function listPaced(pace, words) {
  const plain = (table, title) => ({
    ...{ id: `${pace}.${table}`, title: `${title}, ${words}` },
    measure: (read, slug, key) => read(`${pace}.${table}.${slug}.${key}`),
  });
  return [
    plain("empty", "run without a call"),
    plain("seen", "run with one call"),
    plain("new", "new script with one call"),
    {
      ...{ id: `${pace}.further`, title: `each further call, ${words}` },
      measure: (read, slug, key) => readSlope(read, pace, slug, key),
    },
    plain("once100", "100 calls at once"),
  ];
}

/** Of runs with 1, 10 and 100 calls in turn: the start of a run is not in it. */
function readSlope(read, pace, slug, key) {
  const tables = [
    [1, "seen"],
    [10, "turn10"],
    [100, "turn100"],
  ];
  return findSlope(tables.map(([calls, table]) => [calls, read(`${pace}.${table}.${slug}.${key}`)]));
}

/** @returns {Shape["measure"]} the time between two answers belongs to the whole machine */
function readThroughput(id) {
  return (read, slug, key) => {
    if (key === "cpuMs") return read(`${id}.${slug}.cpuMs`);
    const perSecond = read(`${id}.${slug}.perSecond`);
    return perSecond === undefined ? undefined : 1000 / perSecond;
  };
}
