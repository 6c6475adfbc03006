import { integrityOfText } from "../../../schemas/lock/integrity.ts";
import { type RunReport, addSizes, type TextSize } from "./run-report.ts";
import { markup, trustedMarkup, type Markup, type Part } from "./html/markup.ts";
import { printCallsTable, printShownText } from "./sections/print-calls.ts";
import { printDiagnostics, printSources } from "./sections/print-diagnostics.ts";
import { printTimeline } from "./timeline/print-timeline.ts";
import { formatCount, formatNumberOf, formatBytes, formatDuration, formatMoment } from "./format/format-amounts.ts";
import type { LogEntry } from "../../../schemas/run/answer.ts";
import { describeSaving } from "../../../schemas/text/token-saving.ts";
import { cutToUtf8 } from "../../../schemas/json/utf8.ts";

/** Our own CSS and JavaScript, which go into the page as they are. */
export interface PageFiles {
  style: string;
  script: string;
}

/**
 * A report as one HTML page that needs nothing else. Its policy lets it load nothing at all, and run and apply only what is ours, by
 * its digest; so even a mistake in the printing of a hostile text could do nothing.
 */
export function printPage(report: RunReport, { style, script }: PageFiles): string {
  const policy = [
    "default-src 'none'",
    `style-src '${integrityOfText(style)}'`,
    `script-src '${integrityOfText(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${report.script}: ${report.isOk ? "succeeded" : "failed"} – codemode</title>
<style>${trustedMarkup(style)}</style>
</head>
<body>
<a class="skip" href="#time-line">Skip to the time line</a>
${printHead(report)}
<main>
${printDiagnostics(report)}
${printTraffic(report)}
<div class="beside">
<section class="card" aria-labelledby="time-line">
<h2 id="time-line" tabindex="-1">Time line</h2>
${printTimeline(report)}
</section>
${printLogs(report.logs)}
</div>
<section class="card" aria-labelledby="calls">
<h2 id="calls">Calls</h2>
${report.calls.length === 0 ? markup`<p class="empty">The script called no tool.</p>` : printCallsTable(report.calls)}
</section>
${report.sources.length === 0 ? undefined : printSources(report)}
${printManifest(report)}
</main>
<footer><p>Made by codemode ${report.madeBy.codemode}. This page loads nothing and sends nothing.</p></footer>
<script>${trustedMarkup(script)}</script>
</body>
</html>
`;
  return page.html;
}

/** What ran, how it went, and under what. */
function printHead(report: RunReport): Markup {
  const { kind, script, isOk, madeBy, startedAt, durationMs, preparationMs, calls, lockfileIntegrity, logs } = report;
  const failed = calls.filter(({ outcome }) => outcome === "failed" || outcome === "refused").length;
  const all = formatNumberOf(calls.length, "call");
  return markup`<header class="head">
<p class="kind">codemode · ${kind === "run" ? "report of a run" : "report of a recording"}</p>
<h1>${script} <span class="status ${isOk ? "is-ok" : "is-failed"}">${isOk ? "✓ succeeded" : "✕ failed"}</span></h1>
<dl class="facts">
${printFact("Run time", formatDuration(durationMs))}
${preparationMs === undefined ? undefined : printFact("Preparation", markup`${formatDuration(preparationMs)} <span class="why">bundling, servers, sandbox</span>`)}
${printFact("Calls", failed === 0 ? all : `${all}, ${formatCount(failed)} failed`)}
${printFact("Log lines", formatCount(logs.length))}
${printFact("Started", formatMoment(startedAt))}
${printFact("Made by", `codemode ${madeBy.codemode}, Node ${madeBy.node}`)}
${lockfileIntegrity === undefined ? undefined : printFact("Lockfile", markup`<code>${lockfileIntegrity}</code>`)}
</dl>
</header>`;
}

function printFact(name: string, value: Part): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** So many lines are shown of the beginning, and as many of the end. */
const SHOWN_LINES = 1000;
const MAX_LINE_BYTES = 4000;

/** What the script logged, with the times of its clock. */
function printLogs(logs: readonly LogEntry[]): Markup {
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

/** Which tools the script could call, which of them it did, and as what they were locked. */
function printManifest({ tools, servers, calls }: Pick<RunReport, "tools" | "servers" | "calls">): Markup {
  const counts = new Map<string, number>();
  for (const { serverId, toolName } of calls) {
    const key = keyOf(serverId, toolName);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = tools.map(({ serverId, toolName, integrity }) => {
    const count = counts.get(keyOf(serverId, toolName)) ?? 0;
    const times = count === 0 ? "not called" : formatNumberOf(count, "call");
    return markup`<tr><td>${serverId}</td><th scope="row">${toolName}</th><td>${times}</td><td><code>${integrity}</code></td></tr>
`;
  });
  const called = tools.filter(({ serverId, toolName }) => counts.has(keyOf(serverId, toolName))).length;
  return markup`<section class="card" aria-labelledby="manifest">
<h2 id="manifest">What the script could call</h2>
${
  tools.length === 0
    ? markup`<p class="empty">No tool.</p>`
    : markup`<div class="table-frame" role="region" aria-label="Table of tools" tabindex="0">
<table>
<caption>The manifest of the bundle: ${formatNumberOf(tools.length, "tool")}, of which it called ${formatCount(called)}. The host refuses any other call.</caption>
<thead><tr><th scope="col">Server</th><th scope="col">Tool</th><th scope="col">Called</th><th scope="col">Integrity</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>
<div class="table-frame" role="region" aria-label="Table of servers" tabindex="0">
<table>
<caption>Their servers, as they were locked.</caption>
<thead><tr><th scope="col">Server</th><th scope="col">Integrity</th></tr></thead>
<tbody>
${servers.map(({ id, integrity }) => markup`<tr><th scope="row">${id}</th><td><code>${integrity}</code></td></tr>\n`)}
</tbody>
</table>
</div>`
}
</section>`;
}

function keyOf(serverId: string, toolName: string): string {
  return JSON.stringify([serverId, toolName]);
}

/** What stayed in the sandbox against script and answer: in a sentence, as bars and as numbers. */
function printTraffic({ traffic, result }: Pick<RunReport, "traffic" | "result">): Markup {
  const stayed = addSizes(traffic.inputs, traffic.outputs);
  return markup`<section class="card traffic" aria-labelledby="traffic">
<h2 id="traffic">What stayed in the sandbox, and what came back</h2>
<p class="lead">${printLead(stayed, traffic)}</p>
${printBars(stayed, addSizes(traffic.script, traffic.answer))}
<div class="table-frame" role="region" aria-label="Table of sizes" tabindex="0">
<table>
<caption>Sizes as JSON in UTF-8. Tokens are an estimate, made without any model's tokenizer.</caption>
<thead><tr><th scope="col">What</th><th scope="col">Where</th><th scope="col" class="number">Bytes</th><th scope="col" class="number">Tokens</th></tr></thead>
<tbody>
${printRow("Inputs of all calls", "stayed in the sandbox", traffic.inputs)}
${printRow("Outputs of all calls", "stayed in the sandbox", traffic.outputs)}
${printRow("Answer: result, logs, diagnostics, trace", "came back", traffic.answer)}
${printRow("Script", "was sent", traffic.script)}
</tbody>
</table>
</div>
${result === undefined ? undefined : markup`<details class="result"><summary>The result</summary>${printShownText("Result", result)}</details>`}
</section>`;
}

/** Says which is more, whichever it is. */
function printLead(
  stayed: TextSize,
  { answer, script }: Pick<RunReport["traffic"], "answer" | "script">,
): Markup | string {
  if (stayed.bytes === 0) return "The script called no tool, so there is nothing to compare.";
  const all = markup`The calls moved ${formatBytes(stayed.bytes)}, about <b>${formatCount(stayed.tokens)} tokens</b>. The script and the answer have ${formatBytes(script.bytes + answer.bytes)}, about <b>${formatCount(script.tokens + answer.tokens)} tokens</b>`;
  const { isLess, words } = describeSaving({ calls: stayed.tokens, script: script.tokens, answer: answer.tokens });
  if (!isLess) return markup`${all}: ${words} than with plain tool calls, which would cost less here.`;
  return markup`${all}: <strong>${words}</strong> than with plain tool calls, where each input and output passes through the model.`;
}

function printBars(stayed: TextSize, used: TextSize): Markup {
  const most = Math.max(stayed.tokens, used.tokens, 1);
  const printBar = (name: string, kind: string, { tokens }: TextSize): Markup => {
    const width = Math.max((100 * tokens) / most, tokens === 0 ? 0 : 0.4);
    return markup`<div class="traffic-row"><span>${name}</span><svg width="100%" height="22"><rect class="traffic-track" width="100%" height="22" rx="4"></rect><rect class="${kind}" width="${width.toFixed(2)}%" height="22" rx="4"></rect></svg><span class="number">≈ ${formatCount(tokens)} tokens</span></div>`;
  };
  return markup`<div class="traffic-bars" aria-hidden="true">
${printBar("stayed in the sandbox", "traffic-stayed", stayed)}
${printBar("script and answer", "traffic-answer", used)}
</div>`;
}

function printRow(what: string, where: string, { bytes, tokens }: TextSize): Markup {
  return markup`<tr><th scope="row">${what}</th><td>${where}</td><td class="number">${formatCount(bytes)}</td><td class="number">${formatCount(tokens)}</td></tr>
`;
}
