import type { CallFate, ReportedCall } from "../run-report.ts";
import { formatNumberOf, formatDuration } from "../format/format-amounts.ts";
import { type Markup, markup } from "../html/markup.ts";
import { OUTCOMES, describeCall } from "./describe-call.ts";
import {
  lastMoment,
  labelOf,
  planTimeline,
  type Tick,
  type TimelineData,
  type Band,
  type Bar,
  toPercent,
} from "./plan-timeline.ts";
import type { LogEntry, LogLevel } from "../../../../schemas/run/answer.ts";

/**
 * The calls of a run as bars over its time, those of each server in a band of their own, and its logs as marks below. Each bar is a
 * link to the row of its call in the table that `printCallsTable` prints; with `startTimeline` of the client, arrow keys go from bar to
 * bar and what is chosen is shown below.
 */
export function printTimeline(data: TimelineData): Markup {
  if (data.calls.length === 0 && data.logs.length === 0) {
    return markup`<div class="timeline"><p class="timeline-empty">The script called no tool and logged nothing.</p></div>`;
  }
  const { ticks, bands, omitted } = planTimeline(data);
  return markup`<div class="timeline">
<div class="timeline-chart" role="group" aria-label="Time line: ${formatNumberOf(data.calls.length, "call")} in ${formatDuration(data.durationMs)}">
${printAxis(ticks)}
${bands.map((band) => printBand(band, ticks))}
${printLogMarks(data.logs, lastMoment(data), ticks)}
</div>
${omitted === 0 ? undefined : markup`<p class="timeline-omitted">${formatNumberOf(omitted, "further call")} are not drawn.</p>`}
${printLegend(data.calls)}
<section class="timeline-details" aria-label="The chosen call" aria-live="polite" hidden></section>
</div>`;
}

function printAxis(ticks: readonly Tick[]): Markup {
  const labels = ticks.map(({ timeMs, x }) => {
    const anchor = x < 3 ? "start" : x > 97 ? "end" : "middle";
    return markup`<text x="${x.toFixed(2)}%" y="14" text-anchor="${anchor}">${formatDuration(timeMs)}</text>`;
  });
  return markup`<div class="timeline-band timeline-axis" aria-hidden="true"><span></span><svg width="100%" height="20">${labels}</svg></div>`;
}

/** One sample for each outcome that there is. */
function printLegend(calls: readonly ReportedCall[]): Markup | undefined {
  if (calls.length === 0) return undefined;
  const outcomes = OUTCOME_ORDER.filter((outcome) => calls.some((call) => call.outcome === outcome));
  const samples = outcomes.map(
    (outcome) =>
      markup`<li><svg width="24" height="14" aria-hidden="true"><g class="is-${outcome}"><rect class="timeline-bar" x="1" y="1" width="22" height="12" rx="3"></rect>${
        outcome === "failed" || outcome === "refused" ? CROSS : undefined
      }</g></svg> ${OUTCOMES[outcome]}</li>`,
  );
  return markup`<ul class="timeline-legend" aria-label="Legend">
${samples}
<li class="timeline-keys"><kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd> go through the calls, <kbd>Enter</kbd> to the row, <kbd>Esc</kbd> closes</li>
</ul>`;
}

const OUTCOME_ORDER: readonly CallFate[] = ["ok", "failed", "refused", "skipped", "unfinished"];
const CROSS = markup`<path class="timeline-cross" d="M9 4l6 6m0-6l-6 6"></path>`;

/** The calls of one server: its name, and a bar for each call. */
function printBand({ serverId, height, bars }: Band, ticks: readonly Tick[]): Markup {
  const count = formatNumberOf(bars.length, "call");
  return markup`<div class="timeline-band" role="group" aria-label="${serverId}, ${count}">
<span class="timeline-name"><b>${serverId}</b> <span>${count}</span></span>
<svg width="100%" height="${height + 8}" role="presentation">${printGrid(ticks)}<svg y="4" width="100%" height="${height}" overflow="visible" role="presentation">${bars.map(printBar)}</svg></svg>
</div>`;
}

/** Lines at the round times, behind everything. */
function printGrid(ticks: readonly Tick[]): Markup {
  return markup`<g class="timeline-grid" aria-hidden="true">${ticks.map(
    ({ x }) => markup`<line x1="${percent(x)}" x2="${percent(x)}" y1="0" y2="100%"></line>`,
  )}</g>`;
}

function printBar(bar: Bar): Markup {
  const { call, x, y, width, height } = bar;
  const box = markup`x="${percent(x)}" y="${y}" width="${percent(width)}" height="${height}"`;
  const radius = Math.min(4, Math.floor(height / 3));
  return markup`<a class="timeline-call is-${call.outcome}" href="#call-${call.number}" data-call="${call.number}" aria-label="${describeCall(call)}"><rect class="timeline-bar" ${box} rx="${radius}"></rect>${printLabel(bar)}</a>`;
}

/** Between a bar and the label beside it, in pixels. It belongs to the link as both do. */
const GAP = 6;

function printLabel({ call, x, y, width, height, label }: Bar): Markup {
  const baseline = height / 2 + 4;
  const isFailed = call.outcome === "failed" || call.outcome === "refused";
  const text = labelOf(call);
  switch (label) {
    case "inside":
      return markup`<svg x="${percent(x)}" y="${y}" width="${percent(width)}" height="${height}"><text class="is-inside" x="7" y="${baseline}">${text}</text></svg>`;
    case "after":
      return markup`<svg x="${percent(x + width)}" y="${y}" width="1" height="${height}" overflow="visible"><rect class="timeline-gap" width="${GAP}" height="${height}"></rect><text x="${GAP}" y="${baseline}">${text}</text></svg>`;
    case "before":
      return markup`<svg x="${percent(x)}" y="${y}" width="1" height="${height}" overflow="visible"><rect class="timeline-gap" x="-${GAP}" width="${GAP}" height="${height}"></rect><text x="-${GAP}" y="${baseline}" text-anchor="end">${text}</text></svg>`;
    case "none":
      return isFailed && height >= 12
        ? markup`<svg x="${percent(x + width / 2)}" y="${y + height / 2}" width="1" height="1" overflow="visible"><path class="timeline-cross" d="M-3 -3l6 6m0 -6l-6 6"></path></svg>`
        : markup``;
  }
}

function percent(value: number): string {
  return `${value.toFixed(3)}%`;
}

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
function printLogMarks(logs: readonly LogEntry[], endMs: number, ticks: readonly Tick[]): Markup | undefined {
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
