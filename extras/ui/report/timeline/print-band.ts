import { formatNumberOf } from "../format/format-size.ts";
import { type Markup, markup } from "../html/markup.ts";
import { describeCall } from "./describe-call.ts";
import type { Band, Bar, Tick } from "./plan-timeline.ts";

/** The calls of one server: its name, and a bar for each call. */
export function printBand({ serverId, height, bars }: Band, ticks: readonly Tick[]): Markup {
  const count = formatNumberOf(bars.length, "call");
  return markup`<div class="timeline-band" role="group" aria-label="${serverId}, ${count}">
<span class="timeline-name"><b>${serverId}</b> <span>${count}</span></span>
<svg width="100%" height="${height + 8}" role="presentation">${printGrid(ticks)}<svg y="4" width="100%" height="${height}" overflow="visible" role="presentation">${bars.map(printBar)}</svg></svg>
</div>`;
}

/** Lines at the round times, behind everything. */
export function printGrid(ticks: readonly Tick[]): Markup {
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

/** A label inside is cut at the end of its bar. A failed call is marked by more than its colour. */
function printLabel({ call, x, y, width, height, label }: Bar): Markup {
  const baseline = height / 2 + 4;
  const isFailed = call.outcome === "failed" || call.outcome === "refused";
  const text = isFailed ? `✕ ${call.toolName}` : call.toolName;
  switch (label) {
    case "inside":
      return markup`<svg x="${percent(x)}" y="${y}" width="${percent(width)}" height="${height}"><text class="is-inside" x="7" y="${baseline}">${text}</text></svg>`;
    case "after":
      return markup`<svg x="${percent(x + width)}" y="${y}" width="1" height="${height}" overflow="visible"><text x="6" y="${baseline}">${text}</text></svg>`;
    case "before":
      return markup`<svg x="${percent(x)}" y="${y}" width="1" height="${height}" overflow="visible"><text x="-6" y="${baseline}" text-anchor="end">${text}</text></svg>`;
    case "none":
      return isFailed && height >= 12
        ? markup`<svg x="${percent(x + width / 2)}" y="${y + height / 2}" width="1" height="1" overflow="visible"><path class="timeline-cross" d="M-3 -3l6 6m0 -6l-6 6"></path></svg>`
        : markup``;
  }
}

function percent(value: number): string {
  return `${value.toFixed(3)}%`;
}
