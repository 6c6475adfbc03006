import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { DoctorReport, Finding } from "./doctor-report.ts";

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
    ...(problems === 0 ? [] : [`${problems} ${problems === 1 ? "problem" : "problems"}`]),
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`]),
  ];
  return `${parts.join(" and ")}.`;
}
