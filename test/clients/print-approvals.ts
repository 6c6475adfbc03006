import type { Outcome } from "./read-outcome.ts";
import { REASON } from "./scenarios.ts";

// The cells about the approval of single calls. Undefined where a trial has another outcome than it should.

/** What a client does with a form where no person sits at it, and no other is asked. */
export function printOwnForm({ answers: [answer] }: Outcome): string | undefined {
  const text = answer?.text ?? "";
  return OWN_FORMS.find(([reason]) => text.includes(reason))?.[1];
}

const OWN_FORMS = [
  ["no person could be asked", "none"],
  ["the question was closed without an answer", "closed at once"],
  ["the question was declined by a person, or closed by the client", "declined at once"],
] as const;

export function printMeanwhile({ answers: [answer, ...later] }: Outcome): string | undefined {
  const text = answer?.text ?? "";
  const isWaiting = later.length > 0 && text.includes("The run waits for it");
  return isWaiting && text.includes("APPROVAL_REQUIRED") ? "`APPROVAL_REQUIRED`, `runId`" : undefined;
}

/** What became of the calls, as the script and the server say. */
export function printVerdicts({ answers, operator }: Outcome): string | undefined {
  const text = answers.at(-1)?.text ?? "";
  const has = (...parts: readonly string[]): boolean => parts.every((part) => text.includes(part));
  const isAllowed = has("Successfully created directory notes/allowed", "[DIR] allowed");
  const isRefused = has(`ApprovalRefusedError, ${REASON}`) && !has("[DIR] refused");
  const isChanged = has("sent:{path:notes/wrong}", "input:{path:notes/right}", "[DIR] right") && !has("[DIR] wrong");
  const isWhole = SHOWN.every((path) => isListed(operator, path)) && operator?.left.join() === "2,1,0";
  return isWhole && isAllowed && isRefused && isChanged ? `as answered; ${printCalls(answers)}` : undefined;
}

/** The answers before the restart and after it. */
export function printDurable({ answers, operator }: Outcome): string | undefined {
  const text = answers.at(-1)?.text ?? "";
  const isMade = ["Successfully created directory notes/later", "before: false", "after: true"].every((part) =>
    text.includes(part),
  );
  return isMade && isListed(operator, "notes/later") ? `allowed; ${printCalls(answers)}` : undefined;
}

const SHOWN = ["notes/allowed", "notes/refused", "notes/wrong"];

/** Whether the operator has seen a call with its server, its tool and its argument, and could answer. */
function isListed(operator: Outcome["operator"], path: string): boolean {
  if (operator === undefined || operator.problem !== undefined) return false;
  return operator.questions.some((lines) =>
    ['"files/create_directory"', `"path": "${path}"`].every((part) => lines.some((line) => line.includes(part))),
  );
}

const printCalls = ({ length }: Outcome["answers"]): string => `${length} ${length === 1 ? "call" : "calls"}`;
