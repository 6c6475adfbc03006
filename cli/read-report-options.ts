import { extname, resolve } from "node:path";
import { invalidOption } from "../schemas/errors.ts";
import type { Invocation } from "./command.ts";

/** The page that somebody wants of a run. */
export interface ReportFile {
  path: string;
  payloads: boolean;
}

/** What `--report` and `--report-payloads` ask for. */
export function readReportOptions({ options, context }: Invocation): ReportFile | undefined {
  const file = options.text("report");
  const payloads = options.has("reportPayloads");
  if (file === undefined) {
    if (payloads) throw invalidOption("--report-payloads", "it needs --report");
    return undefined;
  }
  if (extname(file) !== ".html") throw invalidOption("--report", "the name of the page ends in .html");
  if (options.has("inputs")) throw invalidOption("--report", "it shows one run, not --inputs");
  if (payloads && options.texts("redact").length > 0) {
    throw invalidOption(
      "--report-payloads",
      "not with --redact: `codemode replay` makes a page of the redacted recording",
    );
  }
  return { path: resolve(context.cwd, file), payloads };
}
