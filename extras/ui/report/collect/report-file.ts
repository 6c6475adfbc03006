import { readFile } from "node:fs/promises";
import { printPage } from "../print-page.ts";
import type { RunReport } from "../../../../schemas/run/run-report.ts";
import type { Recording } from "../../../../schemas/run/recording.ts";
import type { RunAnswer } from "../../../../schemas/run/answer.ts";
import type { ReportFile } from "../../../../cli/read-report-options.ts";
import type { RunReporter } from "../../../../cli/report-extra.ts";
import { makeReportCollector } from "./collect-report.ts";
import { reportOfRecording } from "./report-of-recording.ts";
import { writeAtomically } from "../../../../engine/project/files.ts";

/** Readable by its owner only, because of logs and sources. */
const OWNER_ONLY = 0o600;

/** What `scripts/build-page-files.js` makes. */
const STYLE = new URL("../page/report.css", import.meta.url);
const SCRIPT = new URL("../page/report.js", import.meta.url);

/** Writes a report as one page that needs nothing else; `project` is the folder out of which no link may lead. */
async function writeReport(file: string, report: RunReport, project: string): Promise<void> {
  const [style, script] = await Promise.all([readFile(STYLE, "utf8"), readFile(SCRIPT, "utf8")]);
  await writeAtomically(file, printPage(report, { style, script }), { project, mode: OWNER_ONLY });
}

/** Collects the report of one run, whose preparation begins now, and writes it. */
export function makeReporter({ path, payloads }: ReportFile, project: string): RunReporter {
  const collector = makeReportCollector({ payloads });
  return {
    observation: collector.observation,
    write: (answer, script) => writeReport(path, collector.finish(answer, script), project),
  };
}

/** Writes the report of a recording, with the place where its replay has diverged. */
export async function writeReplayReport(
  { path, payloads }: ReportFile,
  recording: Recording,
  { answer, updated }: { answer: RunAnswer; updated?: Recording | undefined },
  project: string,
): Promise<void> {
  const drawn = reportOfRecording(updated ?? recording, { payloads });
  const diverged = answer.diagnostics.filter(({ code }) => code === "REPLAY_DIVERGED");
  const isOk = drawn.isOk && diverged.length === 0;
  await writeReport(path, { ...drawn, isOk, diagnostics: [...drawn.diagnostics, ...diverged] }, project);
}
