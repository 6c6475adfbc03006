import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { Place } from "./client.ts";
import { runCommand } from "./run-command.ts";

/** What an operator is to do, who sits at the machine and not at the client. */
export interface OperatorOrder {
  kind: "set-up" | "answer" | "await-none";
  /** How long it is waited for. */
  seconds: number;
  /** One for each call that is to wait, in the order of the answers. */
  answers: readonly { holds: string; decision: CallDecision }[];
}

/** What an operator has seen. */
export interface OperatorReport {
  /** The lines of each question that was listed. */
  questions: (readonly string[])[];
  /** How many waited still after each answer. */
  left: number[];
  /** Why there was no answer. */
  problem?: string;
}

const PRELOAD = pathToFileURL(join(import.meta.dirname, "../strip-types.mjs")).href;

/** Has an operator act in a process of its own, which is not below the client. */
export async function operate(
  { home, project }: Place,
  environment: Record<string, string>,
  order: Partial<OperatorOrder> & Pick<OperatorOrder, "kind">,
): Promise<OperatorReport> {
  const file = join(home, "operator.json");
  const whole: OperatorOrder = { seconds: 60, answers: [], ...order };
  const program = join(import.meta.dirname, "operator-program.ts");
  const words = [process.execPath, "--no-warnings", "--import", PRELOAD, program, JSON.stringify(whole), file];
  await rm(file, { force: true });
  const end = await runCommand(words, { folder: project, environment, seconds: whole.seconds + 30 });
  if (end.code !== 0) return { questions: [], left: [], problem: end.output };
  const text = await readFile(file, "utf8").catch(() => '{"questions":[],"left":[]}');
  return JSON.parse(text) as OperatorReport;
}
