import { readFile } from "node:fs/promises";
import { type CommandStep, type PageStep, planSteps } from "../docs/page-steps.ts";

/** The steps of a page as they are typed: one command after the other, so that each must end well. */
export async function readSteps(page: string, asTyped = (text: string): string => text): Promise<PageStep[]> {
  const steps = planSteps(asTyped(await readFile(page, "utf8")));
  return steps.flatMap((step) => (step.kind === "file" || step.shown !== undefined ? [step] : splitBlock(step)));
}

/** A line that ends in a backslash or a pipe goes on in the next one. */
function splitBlock(step: CommandStep): CommandStep[] {
  const commands: CommandStep[] = [];
  let goesOn = false;
  for (const [index, line] of step.command.split("\n").entries()) {
    const last = commands.at(-1);
    if (goesOn && last !== undefined) last.command += `\n${line}`;
    else if (line.trim() !== "") commands.push({ ...step, command: line, line: step.line + index });
    goesOn = /[\\|]$/.test(line);
  }
  return commands;
}

/** A command that no page shows. */
export function type(command: string, shown?: string): CommandStep {
  return { kind: "command", line: 0, command, fails: false, ...(shown === undefined ? {} : { shown }) };
}

export function write(path: string, text: string): PageStep {
  return { kind: "file", line: 0, path, text };
}

/** Lines that a reader types for these steps. */
export function countLines(steps: readonly PageStep[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === "file" ? 0 : step.command.split("\n").length), 0);
}
