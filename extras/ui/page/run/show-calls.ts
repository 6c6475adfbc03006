import { startTimeline } from "../../report/client/timeline.ts";
import { printCallsTable } from "../../report/sections/print-calls.ts";
import { printTimeline } from "../../report/timeline/print-timeline.ts";
import type { RunReport } from "../../../../schemas/run/run-report.ts";
import { fromMarkup } from "./from-markup.ts";

/** The calls of a run over time, and a table of them. */
export function showCalls(section: HTMLElement, report: RunReport): void {
  section.hidden = report.calls.length === 0;
  const frame = section.querySelector("div");
  if (frame === null || section.hidden) return;
  frame.replaceChildren(fromMarkup(printTimeline(report)), fromMarkup(printCallsTable(report.calls)));
  startTimeline(frame);
}
