import type { CallOutcome, ReportedCall } from "../../../../schemas/run/run-report.ts";
import { formatNumberOf } from "../format/format-size.ts";
import { formatDuration } from "../format/format-time.ts";
import { type Markup, markup } from "../html/markup.ts";
import { OUTCOMES } from "./describe-call.ts";
import { printBand } from "./print-band.ts";
import { printLogMarks } from "./print-log-marks.ts";
import { endOf, planTimeline, type Tick, type TimelineData } from "./plan-timeline.ts";

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
${printLogMarks(data.logs, endOf(data), ticks)}
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

const OUTCOME_ORDER: readonly CallOutcome[] = ["ok", "failed", "refused", "skipped", "unfinished"];
const CROSS = markup`<path class="timeline-cross" d="M9 4l6 6m0-6l-6 6"></path>`;
