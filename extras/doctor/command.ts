import type { Command } from "../../cli/command.ts";
import { examine } from "./examine.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import type { DoctorReport, Finding } from "./doctor-report.ts";

/** `codemode doctor`: checks this machine and project, and suggests fixes. */
export const doctor: Command = async ({ args, options, context }) => {
  const { output } = context;
  const progress = context.showProgress("Starting servers", options.has("json"));
  const report = await examine({ ...context, servers: args, onProgress: progress.update });
  progress.end();
  if (options.has("json")) output.result(JSON.stringify(report, null, 2));
  else for (const line of printDoctorReport(report)) output.result(line);
  return report.problems === 0 ? 0 : 1;
};

/** As words in front of each line: a colour alone would be lost on many. */
const MARKS: Record<Finding["status"], string> = { ok: "ok", info: "-", warning: "warning", problem: "PROBLEM" };
const MARK_WIDTH = Math.max(...Object.values(MARKS).map((mark) => mark.length));

/** The report as lines for people. Names of servers and what they say are shown with nothing that a terminal acts upon. */
export function printDoctorReport({ sections, problems, warnings }: DoctorReport): string[] {
  return [
    ...sections.flatMap(({ title, findings }) => {
      const width = Math.max(...findings.map(({ subject }) => subject.length));
      return [title, ...findings.flatMap((finding) => printFinding(finding, width)), ""];
    }),
    summarize(problems, warnings),
    ...(isProjectMissing(sections) ? ["There is no project here: `codemode init` makes one."] : []),
  ];
}

function printFinding({ status, subject, found, hint }: Finding, width: number): string[] {
  const indent = " ".repeat(2 + MARK_WIDTH + 2);
  const line = `  ${MARKS[status].padEnd(MARK_WIDTH)}  ${subject.padEnd(width)}  ${found}`;
  return [oneLine(line), ...(hint === undefined ? [] : [oneLine(`${indent}hint: ${hint}`)])];
}

function isProjectMissing(sections: DoctorReport["sections"]): boolean {
  return sections.some(({ findings }) =>
    findings.some(({ id, status }) => id === "configuration.file" && status === "info"),
  );
}

function summarize(problems: number, warnings: number): string {
  if (problems + warnings === 0) return "No problems found.";
  const parts = [
    ...(problems === 0 ? [] : [countOf(problems, "problem")]),
    ...(warnings === 0 ? [] : [countOf(warnings, "warning")]),
  ];
  return `${parts.join(" and ")}.`;
}
