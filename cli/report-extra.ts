import type { RunAnswer } from "../schemas/run/answer.ts";
import type { RunEvent } from "../schemas/run/events.ts";
import type { Recording } from "../schemas/run/recording.ts";
import { extname, resolve } from "node:path";
import { optionInvalid } from "../schemas/errors.ts";
import type { Invocation } from "./command.ts";

/** Collects the report of one run. */
export interface RunReporter {
  /** To be handed to the engine with the request. */
  onEvent: (event: RunEvent) => void;
  write(answer: RunAnswer, script: { name: string; code: string }): Promise<void>;
}

/** What writes reports; `project` is the folder out of which no link may lead. */
export interface ReportExtra {
  /** For one run, whose preparation begins now. */
  makeReporter(file: ReportFile, project: string): RunReporter;
  /** The report of a recording, with the place where its replay has diverged. */
  writeReplayReport(
    file: ReportFile,
    recording: Recording,
    replayed: { answer: RunAnswer; updated?: Recording | undefined },
    project: string,
  ): Promise<void>;
}

/** The requested report of a run. */
export interface ReportFile {
  path: string;
  payloads: boolean;
}

/** What `--report` and `--report-payloads` ask for. */
export function readReportOptions({ options, context }: Invocation): ReportFile | undefined {
  const file = options.text("report");
  const payloads = options.has("reportPayloads");
  if (file === undefined) {
    if (payloads) throw optionInvalid("--report-payloads", "it needs --report");
    return undefined;
  }
  if (extname(file) !== ".html") throw optionInvalid("--report", "the file name must end in .html");
  if (options.has("inputs")) throw optionInvalid("--report", "it cannot be combined with --inputs: it shows one run");
  if (payloads && options.texts("redact").length > 0) {
    throw optionInvalid(
      "--report-payloads",
      "it cannot be combined with --redact: use --report with `codemode replay` on the redacted recording",
    );
  }
  return { path: resolve(context.cwd, file), payloads };
}
