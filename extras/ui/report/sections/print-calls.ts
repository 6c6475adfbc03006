import type { ReportedCall, ShownText } from "../run-report.ts";
import { formatBytes, formatCount, formatNumberOf, formatDuration } from "../format/format-amounts.ts";
import { type Markup, markup } from "../html/markup.ts";
import { OUTCOMES, VERDICTS } from "../timeline/describe-call.ts";
import { MAX_DRAWN_CALLS } from "../timeline/plan-timeline.ts";

/** All that is known of each call, one row for each; the row of call 3 has the id `call-3`. */
export function printCallsTable(calls: readonly ReportedCall[]): Markup {
  const shown = calls.slice(0, MAX_DRAWN_CALLS);
  const hasVerdicts = shown.some(({ verdict }) => verdict !== undefined);
  const hasPayloads = shown.some(({ payloads }) => payloads !== undefined);
  return markup`<div class="table-frame" role="region" aria-label="Table of calls" tabindex="0">
<table class="calls">
<caption>${describeTable(calls.length, shown.length)}</caption>
<thead><tr><th scope="col" class="number">#</th><th scope="col">Server</th><th scope="col">Tool</th><th scope="col" class="number">Start</th><th scope="col" class="number">Duration</th><th scope="col">Outcome</th>${
    hasVerdicts ? markup`<th scope="col">Policy</th>` : undefined
  }<th scope="col" class="number">Input</th><th scope="col" class="number">Output</th><th scope="col" class="number">Tokens</th>${
    hasPayloads ? markup`<th scope="col">Payload</th>` : undefined
  }</tr></thead>
<tbody>
${shown.map((call) => printRow(call, hasVerdicts, hasPayloads))}
</tbody>
</table>
</div>`;
}

function describeTable(count: number, shown: number): string {
  const all = `${formatNumberOf(count, "call")}, in the order of their starts. Tokens of input and output are estimates.`;
  return shown === count ? all : `${all} The first ${formatCount(shown)} are shown, the others are left out.`;
}

/** The label of a cell is what it is called where the call is shown alone. */
function printRow(call: ReportedCall, hasVerdicts: boolean, hasPayloads: boolean): Markup {
  const { number, serverId, toolName, startMs, endMs, input, output, verdict, payloads } = call;
  const took = endMs === undefined ? "–" : formatDuration(endMs - startMs);
  return markup`<tr id="call-${number}" tabindex="-1"><th scope="row" class="number" data-label="Call">${number}</th><td data-label="Server">${serverId}</td><td data-label="Tool">${toolName}</td><td class="number" data-label="Start">${formatDuration(startMs)}</td><td class="number" data-label="Duration">${took}</td><td data-label="Outcome">${printOutcome(call)}</td>${
    hasVerdicts ? markup`<td data-label="Policy">${verdict === undefined ? "–" : VERDICTS[verdict]}</td>` : undefined
  }<td class="number" data-label="Input">${formatBytes(input.bytes)}</td><td class="number" data-label="Output">${
    output === undefined ? "–" : formatBytes(output.bytes)
  }</td><td class="number" data-label="Tokens">${formatCount(input.tokens + (output?.tokens ?? 0))}</td>${
    hasPayloads ? markup`<td data-label="Payload">${printPayloads(payloads)}</td>` : undefined
  }</tr>
`;
}

function printOutcome({ outcome, error }: ReportedCall): Markup {
  const name = markup`<span class="outcome is-${outcome}">${OUTCOMES[outcome]}</span>`;
  return error === undefined ? name : markup`${name} <span class="why">${error}</span>`;
}

function printPayloads(payloads: ReportedCall["payloads"]): Markup | string {
  if (payloads === undefined) return "–";
  const { input, output } = payloads;
  return markup`<details><summary>show</summary>${printShownText("Input", input)}${
    output === undefined ? undefined : printShownText("Output", output)
  }</details>`;
}

/** A text with its name, and how much of it is not there. */
export function printShownText(name: string, { text, bytesLeftOut }: ShownText): Markup {
  const left =
    bytesLeftOut === 0 ? undefined : markup`<p class="left-out">${formatBytes(bytesLeftOut)} more are left out.</p>`;
  return markup`<p class="payload-name">${name}</p><pre tabindex="0" role="group" aria-label="${name}">${text}</pre>${left}`;
}
