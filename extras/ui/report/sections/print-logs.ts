import type { LogEntry } from "../../../../schemas/run/answer.ts";
import { cutToUtf8 } from "../../../../schemas/json/utf8.ts";
import { formatNumberOf } from "../format/format-size.ts";
import { formatDuration } from "../format/format-time.ts";
import { type Markup, markup } from "../html/markup.ts";

/** So many lines are shown of the beginning, and as many of the end. */
const SHOWN_LINES = 1000;
const MAX_LINE_BYTES = 4000;

/** What the script logged, with the times of its clock. */
export function printLogs(logs: readonly LogEntry[]): Markup {
  return markup`<section class="card logs" aria-labelledby="logs">
<h2 id="logs">Logs</h2>
${logs.length === 0 ? markup`<p class="empty">The script logged nothing.</p>` : printList(logs)}
</section>`;
}

function printList(logs: readonly LogEntry[]): Markup {
  const isCut = logs.length > 2 * SHOWN_LINES;
  const first = isCut ? logs.slice(0, SHOWN_LINES) : logs;
  const last = isCut ? logs.slice(-SHOWN_LINES) : [];
  const left = logs.length - first.length - last.length;
  return markup`<div class="log-frame" role="region" aria-label="Log lines" tabindex="0">
<ol class="log-lines">
${first.map(printLine)}${isCut ? markup`<li class="left-out">${formatNumberOf(left, "line")} are left out here.</li>` : undefined}${last.map(printLine)}
</ol>
</div>`;
}

function printLine({ level, message, timeMs }: LogEntry): Markup {
  const shown = cutToUtf8(message, MAX_LINE_BYTES);
  const name = level === "log" ? undefined : markup`<span class="level">${level}</span> `;
  return markup`<li class="is-${level}"><span class="time">${formatDuration(timeMs)}</span><span class="message">${name}${shown}${
    shown === message ? undefined : markup` <span class="left-out">… cut</span>`
  }</span></li>
`;
}
