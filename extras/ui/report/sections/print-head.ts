import type { RunReport } from "../../../../schemas/run/run-report.ts";
import { formatCount, formatNumberOf } from "../format/format-size.ts";
import { formatDuration, formatMoment } from "../format/format-time.ts";
import { type Markup, markup, type Part } from "../html/markup.ts";

/** What ran, how it went, and under what. */
export function printHead(report: RunReport): Markup {
  const { kind, script, isOk, madeBy, startedAt, durationMs, preparationMs, calls, lockfileIntegrity, logs } = report;
  const failed = calls.filter(({ outcome }) => outcome === "failed" || outcome === "refused").length;
  const all = formatNumberOf(calls.length, "call");
  return markup`<header class="head">
<p class="kind">codemode · ${kind === "run" ? "report of a run" : "report of a recording"}</p>
<h1>${script} <span class="status ${isOk ? "is-ok" : "is-failed"}">${isOk ? "✓ ended well" : "✕ failed"}</span></h1>
<dl class="facts">
${printFact("Script ran", formatDuration(durationMs))}
${preparationMs === undefined ? undefined : printFact("Before that", markup`${formatDuration(preparationMs)} <span class="why">bundling, servers, sandbox</span>`)}
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
