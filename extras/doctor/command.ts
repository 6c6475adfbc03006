import type { Command } from "../../cli/command.ts";
import { examine } from "./examine.ts";
import { printDoctorReport } from "./print-doctor-report.ts";

/** `codemode doctor`: checks this machine and project, and suggests fixes. */
export const doctor: Command = async ({ args, options, context }) => {
  const { cwd, configFile, isTrusted, signal, output } = context;
  const progress = context.showProgress("Starting servers", options.has("json"));
  const report = await examine({
    cwd,
    isTrusted,
    servers: args,
    signal,
    onProgress: progress.update,
    configFile,
  });
  progress.end();
  if (options.has("json")) output.result(JSON.stringify(report, null, 2));
  else for (const line of printDoctorReport(report)) output.result(line);
  return report.problems === 0 ? 0 : 1;
};
