import { ratioToFloor, SHAPES } from "./floor-ratios.js";
import { listFigures } from "./tables.js";
import { ENTRIES, LEVELS } from "./targets.js";

const WAYS = LEVELS.flatMap((level) => ENTRIES.map((entry) => ({ level, entry })));

/** Each shape of work at each level as a multiple of the floor of that level, in time and in processor time. */
export function printFloors(results) {
  const figures = listFigures(results);
  const read = (id) => figures.get(id)?.value;
  const rows = SHAPES.map((shape) => [shape.title, ...WAYS.map((way) => printCell(read, shape, way))]);
  if (rows.every(([, ...cells]) => cells.every((cell) => cell === "")))
    return "No run of the benchmarks has measured the floors yet.";
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const head = ["time / CPU, in floors", ...WAYS.map(({ level, entry }) => `${level}, ${entry}`)];
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

function printCell(read, { id, entries = ENTRIES }, way) {
  if (!entries.includes(way.entry)) return "";
  const ratios = ["ms", "cpuMs"].map((key) => ratioToFloor(read, id, way, key));
  return ratios.includes(undefined) ? "" : ratios.map((ratio) => ratio.toFixed(2)).join(" / ");
}
