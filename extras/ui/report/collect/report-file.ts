import { readFile } from "node:fs/promises";
import { printPage } from "../print-page.ts";
import type { RunReport, ReportedCall } from "../run-report.ts";
import type { Recording, RecordedCall } from "../../../../schemas/run/recording.ts";
import { type RunAnswer, exitCodeOf } from "../../../../schemas/run/answer.ts";
import type { RunReporter, ReportFile } from "../../../../cli/report-extra.ts";
import { makeReportCollector } from "./collect-report.ts";
import { writeOutputFile } from "../../../../engine/project/output-file.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { isHostSubject } from "../../../../runtime/sandbox/pool/host-subjects.ts";
import {
  measureText,
  printJson,
  makePayloadTable,
  type PayloadTable,
  sourcesOf,
  resultPart,
  sumTraffic,
} from "./report-parts.ts";

/** Readable by its owner only, because of logs and sources. */
const OWNER_ONLY = 0o600;

/** What `scripts/build-page-files.js` makes. */
const STYLE = new URL("../page/report.css", import.meta.url);
const SCRIPT = new URL("../page/report.js", import.meta.url);

/** Writes a report as one page that needs nothing else; `project` is the folder out of which no link may lead. */
async function writeReport(file: string, report: RunReport, project: string): Promise<void> {
  const [style, script] = await Promise.all([readFile(STYLE, "utf8"), readFile(SCRIPT, "utf8")]);
  const page = printPage(report, { style, script });
  await writeOutputFile(file, page, { project, kind: "report", mode: OWNER_ONLY });
}

/** Collects the report of one run, whose preparation begins now, and writes it. */
export function makeReporter({ path, payloads }: ReportFile, project: string): RunReporter {
  const collector = makeReportCollector(payloads);
  return {
    onEvent: collector.onEvent,
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
  const drawn = reportOfRecording(updated ?? recording, payloads);
  const diverged = answer.diagnostics.filter(({ code }) => code === "REPLAY_DIVERGED");
  const isOk = drawn.isOk && diverged.length === 0;
  await writeReport(path, { ...drawn, isOk, diagnostics: [...drawn.diagnostics, ...diverged] }, project);
}

/** The report of a recorded run, with the times of its script's clock. What is redacted in the recording is so here. */
function reportOfRecording(recording: Recording, payloads: boolean): RunReport {
  const { answer, bundle, script, start, madeBy, events } = recording;
  const payloadTable = makePayloadTable(payloads);
  const calls = recording.calls
    .filter(({ serverId }) => !isHostSubject(serverId))
    .map((call, index) => toReportedCall(call, index + 1, payloadTable));
  const sources = sourcesOf(bundle.map, script);
  return {
    ...{ kind: "recording", madeBy, script, sources, calls, logs: answer.logs },
    startedAt: start.timeMs,
    // Nothing is recorded of the end itself; so the last thing that the script heard or said is it.
    durationMs: Math.max(0, ...[events, answer.logs].map((moments) => moments.at(-1)?.timeMs ?? 0)),
    isOk: exitCodeOf(answer) === 0,
    servers: Object.entries(recording.servers).map(([id, integrity]) => ({ id, integrity })),
    tools: bundle.manifest.tools,
    diagnostics: answer.diagnostics,
    traffic: sumTraffic(calls, answer, sources),
    ...resultPart(answer, payloads),
  };
}

function toReportedCall(call: RecordedCall, number: number, payloadTable: PayloadTable): ReportedCall {
  const { serverId, toolName, input, startMs, endMs, reply } = call;
  const inputText = printJson(input);
  const outputText = reply === undefined ? undefined : printJson(reply.ok ? reply.value : reply.error);
  const isOk = reply?.ok === true;
  return {
    ...{ number, serverId, toolName, startMs, input: measureText(inputText) },
    outcome: reply === undefined ? "unfinished" : isOk ? "ok" : "failed",
    ...withoutUndefined({
      endMs,
      error: reply === undefined || reply.ok ? undefined : reply.error.errorClass,
      output: outputText === undefined ? undefined : measureText(outputText),
    }),
    ...payloadTable.keep(inputText, outputText),
  };
}
