import { readFile } from "node:fs/promises";
import { printPage } from "../report/print-page.ts";
import type { RunReport } from "../schemas/run/run-report.ts";
import type { Replay } from "../runtime/host/recording/replay-recording.ts";
import type { Recording } from "../schemas/run/recording.ts";
import { reportOfRecording } from "./observe/report/report-of-recording.ts";
import { writeAtomically } from "./project/files.ts";

export { makeReportCollector } from "./observe/report/collect-report.ts";

/** Readable by its owner only, because of logs and sources. */
const OWNER_ONLY = 0o600;

/** What `scripts/build-page-files.js` makes. */
const STYLE = new URL("../report/page/report.css", import.meta.url);
const SCRIPT = new URL("../report/page/report.js", import.meta.url);

/** Writes a report as one page that needs nothing else; `project` is the folder out of which no link may lead. */
export async function writeReport(file: string, report: RunReport, project: string): Promise<void> {
  const [style, script] = await Promise.all([readFile(STYLE, "utf8"), readFile(SCRIPT, "utf8")]);
  await writeAtomically(file, printPage(report, { style, script }), { project, mode: OWNER_ONLY });
}

/** Writes the report of a recording, with the place where its replay has diverged. */
export async function writeReplayReport(
  { path, payloads }: { path: string; payloads: boolean },
  recording: Recording,
  { answer, updated }: Pick<Replay, "answer" | "updated">,
  project: string,
): Promise<void> {
  const drawn = reportOfRecording(updated ?? recording, { payloads });
  const diverged = answer.diagnostics.filter(({ code }) => code === "REPLAY_DIVERGED");
  const isOk = drawn.isOk && diverged.length === 0;
  await writeReport(path, { ...drawn, isOk, diagnostics: [...drawn.diagnostics, ...diverged] }, project);
}
