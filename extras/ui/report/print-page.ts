import { integrityOfText } from "../../../schemas/lock/integrity.ts";
import type { RunReport } from "../../../schemas/run/run-report.ts";
import { markup, trustedMarkup } from "./html/markup.ts";
import { printCallsTable } from "./sections/print-calls.ts";
import { printDiagnostics } from "./sections/print-diagnostics.ts";
import { printHead } from "./sections/print-head.ts";
import { printLogs } from "./sections/print-logs.ts";
import { printManifest } from "./sections/print-manifest.ts";
import { printSources } from "./sections/print-sources.ts";
import { printTraffic } from "./sections/print-traffic.ts";
import { printTimeline } from "./timeline/print-timeline.ts";

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
<title>${report.script}: ${report.isOk ? "ended well" : "failed"} – codemode</title>
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
<footer><p>Made by codemode ${report.madeBy.codemode}. This page is whole: it loads nothing and sends nothing.</p></footer>
<script>${trustedMarkup(script)}</script>
</body>
</html>
`;
  return page.html;
}
