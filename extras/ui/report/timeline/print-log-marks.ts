import type { LogEntry, LogLevel } from "../../../../schemas/run/answer.ts";
import { formatNumberOf } from "../format/format-size.ts";
import { type Markup, markup } from "../html/markup.ts";
import { type Tick, toPercent } from "./plan-timeline.ts";
import { printGrid } from "./print-band.ts";

/** Marks that are nearer to each other than this part of the width, in percent, are one. */
const RESOLUTION = 0.5;

const SHAPES: Readonly<Record<LogLevel, string>> = {
  debug: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
  log: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
  warn: "M0 -5l5 9h-10z",
  error: "M-4 -4h8v8h-8z",
};

const SEVERITIES: readonly LogLevel[] = ["debug", "log", "warn", "error"];

/** A band with a mark for each log line, or each bunch of them: a dot, a triangle for warnings, a square for errors. */
export function printLogMarks(logs: readonly LogEntry[], endMs: number, ticks: readonly Tick[]): Markup | undefined {
  if (logs.length === 0) return undefined;
  const marks = new Map<number, LogLevel>();
  for (const { timeMs, level } of logs) {
    const place = Math.round(toPercent(timeMs, endMs) / RESOLUTION);
    const other = marks.get(place);
    if (other === undefined || SEVERITIES.indexOf(level) > SEVERITIES.indexOf(other)) marks.set(place, level);
  }
  return markup`<div class="timeline-band timeline-logs" aria-hidden="true">
<span class="timeline-name"><b>logs</b> <span>${formatNumberOf(logs.length, "line")}</span></span>
<svg width="100%" height="24">${printGrid(ticks)}${[...marks].map(
    ([place, level]) =>
      markup`<svg x="${(place * RESOLUTION).toFixed(1)}%" y="12" width="1" height="1" overflow="visible"><path class="timeline-log is-${level}" d="${SHAPES[level]}"></path></svg>`,
  )}</svg>
</div>`;
}
